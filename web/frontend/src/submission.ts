/** Follows one submission by server-sent events until its verdict, through lost connections. */

import { ApiError, eventsAddress, getSubmission } from "./api";
import type { TestResult, Verdict } from "./types";

export interface SubmissionListener {
  waiting(place: number | null): void;
  running(): void;
  result(result: TestResult): void;
  done(verdict: Verdict): void;
  replaced(): void;
  /** The connection is lost; another attempt follows by itself. */
  disconnected(): void;
  /** The server does not know this submission, or refuses for good; `problem` says why. */
  gone(problem: string): void;
}

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 10_000;

/** Begin to follow. Returns a function that ends it early. */
export function follow(id: string, listener: SubmissionListener): () => void {
  let source: EventSource;
  let pause = FIRST_PAUSE_MS;
  let retry = 0;
  let ended = false;

  const end = () => {
    ended = true;
    source.close();
    window.clearTimeout(retry);
  };

  const connect = () => {
    source = new EventSource(eventsAddress(id));
    const on = <Data>(name: string, act: (data: Data) => void) => {
      source.addEventListener(name, (event: MessageEvent<string>) => {
        if (!ended) act(JSON.parse(event.data) as Data);
      });
    };
    source.addEventListener("open", () => (pause = FIRST_PAUSE_MS));
    on<{ place?: number | null }>("waiting", (data) => listener.waiting(data.place ?? null));
    on("running", () => listener.running());
    on<TestResult>("result", (result) => listener.result(result));
    on<{ verdict: Verdict }>("done", ({ verdict }) => {
      end();
      listener.done(verdict);
    });
    on("replaced", () => {
      end();
      listener.replaced();
    });
    source.addEventListener("error", () => {
      if (ended) return;
      listener.disconnected();
      // A browser reconnects by itself, except after a refusal; an event stream does not say which.
      if (source.readyState === EventSource.CLOSED) void ask();
    });
  };

  /** Ask once in the ordinary way what has become of it; connect again if it is under way. */
  const ask = async () => {
    try {
      const { state, verdict } = await getSubmission(id);
      if (ended) return;
      if (state === "done" && verdict) {
        end();
        listener.done(verdict);
        return;
      }
      if (state === "replaced") {
        end();
        listener.replaced();
        return;
      }
    } catch (error) {
      if (ended) return;
      if (error instanceof ApiError && error.status === 404) {
        end();
        listener.gone(error.message);
        return;
      }
    }
    retry = window.setTimeout(connect, pause);
    pause = Math.min(pause * 2, LONGEST_PAUSE_MS);
  };

  connect();
  return end;
}
