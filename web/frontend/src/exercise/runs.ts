/** Runs in the page and submissions to the judge: starts them, stops them, and keeps what they show. */

import { type ReadonlySignal, signal } from "@preact/signals";

import { ApiError, postSubmission } from "../api";
import { exerciseData } from "../page_data";
import type { Verdict } from "../types";
import { word } from "../words";
import { Interpreter, type RunEnd, type RunRequest } from "./python/interpreter";
import {
  isOver,
  newRun,
  type RunView,
  withOutput,
  withResult,
  withVerdict,
} from "./run_view";
import { follow } from "../submission";

const FOLLOWED_KEY = `practice/followed/${exerciseData().id}`;

type Change = (update: (run: RunView) => RunView) => void;

export class Runs {
  readonly python = new Interpreter(warmUp());
  private readonly current = signal<RunView | null>(null);
  private readonly pageBusy = signal(false);
  private unfollow: (() => void) | null = null;
  private serial = 0;

  /** `judged` is told of each verdict of the real judge. */
  constructor(private readonly judged: (verdict: Verdict) => void) {}

  get view(): ReadonlySignal<RunView | null> {
    return this.current;
  }

  /** Whether a run in the page is under way, so that Stop has something to stop. */
  get busy(): ReadonlySignal<boolean> {
    return this.pageBusy;
  }

  /** Run the example tests in the page. Does nothing while a run is under way. */
  async runTests(source: string): Promise<void> {
    const { bundle, tests } = exerciseData();
    if (!bundle) return;
    const seed = crypto.getRandomValues(new Uint32Array(1))[0] ?? 0;
    await this.runInPage({ kind: "grade", bundle, source, seed }, "tests", tests);
  }

  /** Run the learner's file as a program, as `python file.py` would; what it prints is shown. */
  async runFile(source: string): Promise<void> {
    const { bundle } = exerciseData();
    if (!bundle) return;
    const files: Record<string, string> = {};
    for (const [name, [text, , isPackage]] of Object.entries(bundle.support)) {
      files[`${name.replaceAll(".", "/")}${isPackage ? "/__init__" : ""}.py`] = text;
    }
    await this.runInPage({ kind: "program", source, name: bundle.display, files }, "program", []);
  }

  /** Stop the run in the page; it has ended within a second. */
  stop(): void {
    if (this.pageBusy.value) this.python.stop();
  }

  /** Hand the code to the real judge and follow it until its verdict. */
  async submit(source: string): Promise<void> {
    this.stop();
    const change = this.show(newRun("judge", "tests", "waiting"));
    try {
      const { id } = await postSubmission(exerciseData().id, source);
      this.follow(id, change);
    } catch (error) {
      const problem = error instanceof ApiError ? error.message : String(error);
      change((run) => ({ ...run, phase: "failed", problem }));
    }
  }

  /** The submission that was shown when the page was left, if its verdict had not come yet. */
  static left(): string | null {
    return sessionStorage.getItem(FOLLOWED_KEY);
  }

  /** Show a submission that may still be under way. */
  resume(id: string): void {
    this.follow(id, this.show(newRun("judge", "tests", "waiting")));
  }

  private async runInPage(
    request: RunRequest,
    kind: RunView["kind"],
    expected: RunView["expected"],
  ): Promise<void> {
    if (this.pageBusy.value) return;
    this.pageBusy.value = true;
    const change = this.show({ ...newRun("page", kind, "preparing"), expected });
    const output = new OutputPerFrame((text) => change((run) => withOutput(run, text)));
    const end = await this.python.start(request, {
      began: () => change((run) => ({ ...run, phase: "running" })),
      result: (result) => change((run) => withResult(run, result)),
      output: (text) => output.add(text),
    });
    output.flush();
    this.pageBusy.value = false;
    change((run) => this.ended(run, end));
  }

  private ended(before: RunView, { how, reason, verdict, dropped }: RunEnd): RunView {
    const run = { ...before, dropped: before.dropped + dropped };
    const done: RunView = verdict ? withVerdict(run, verdict) : { ...run, phase: "done" };
    if (how === "stopped") return { ...done, phase: "stopped" };
    if (how === "finished") return done;
    // Without a reason it did not even start, and the page says why elsewhere.
    const problem = reason ? word("python_broke", { reason }) : word("python_broken");
    return { ...done, phase: "failed", problem };
  }

  private follow(id: string, change: Change): void {
    sessionStorage.setItem(FOLLOWED_KEY, id);
    change((run) => ({ ...run, submission: id }));
    this.unfollow = follow(id, {
      waiting: (queuePlace) => change((run) => ({ ...run, phase: "waiting", queuePlace, problem: "" })),
      // A worker begins, perhaps anew: results of an attempt that was lost no longer count.
      running: () => change((run) => ({ ...run, phase: "running", results: [], problem: "" })),
      result: (result) => change((run) => ({ ...withResult(run, result), problem: "" })),
      done: (verdict) => {
        sessionStorage.removeItem(FOLLOWED_KEY);
        change((run) => ({ ...withVerdict(run, verdict), problem: "" }));
        this.judged(verdict);
      },
      replaced: () => {
        sessionStorage.removeItem(FOLLOWED_KEY);
        change((run) => ({ ...run, phase: "replaced", problem: "" }));
      },
      gone: (problem) => {
        sessionStorage.removeItem(FOLLOWED_KEY);
        change((run) => ({ ...run, phase: "failed", problem }));
      },
      disconnected: () => {
        change((run) => (isOver(run) ? run : { ...run, problem: word("reconnecting") }));
      },
    });
  }

  /** Let another run take the panel. What is returned changes it, for as long as it is shown. */
  private show(run: RunView): Change {
    this.unfollow?.();
    this.unfollow = null;
    const serial = ++this.serial;
    this.current.value = run;
    return (update) => {
      if (serial === this.serial && this.current.value) this.current.value = update(this.current.value);
    };
  }
}

/** The stub against the example tests: it imports all that a run needs and ends at once. */
function warmUp(): RunRequest | null {
  const { bundle, stub } = exerciseData();
  return bundle && { kind: "grade", bundle, source: stub, seed: 0 };
}

/** Output comes in many pieces; drawing each would make the page slow, so it waits for the frame. */
class OutputPerFrame {
  private text = "";
  private frame = 0;

  constructor(private readonly show: (text: string) => void) {}

  add(text: string): void {
    this.text += text;
    this.frame ||= requestAnimationFrame(() => this.flush());
  }

  flush(): void {
    cancelAnimationFrame(this.frame);
    this.frame = 0;
    const { text } = this;
    this.text = "";
    if (text) this.show(text);
  }
}
