/** The page's side of the Python worker: starts it, runs, stops, and begins again after a hard stop. */

import { type ReadonlySignal, signal } from "@preact/signals";

import { pageData } from "../../page_data";
import type { Bundle, TestResult, Verdict } from "../../types";
import { word } from "../../words";
import type { FromWorker, LoadingProblem, ToWorker } from "./messages";

/** Signal numbers that the runtime understands in the interrupt buffer. */
const SIGINT = 2;
const SIGALRM = 14;

/** How often a running program is made to let its other threads run, in milliseconds. */
const TICK_MS = 10;
/** How long a program may take to end itself after Stop; then its worker is terminated. */
const STOP_PATIENCE_MS = 700;
/** How long beyond its limits a grading may take. Python ends it in time, but not where nothing
 * interrupts it: code that only calls its own functions.
 */
const OVERDUE_PATIENCE_SECONDS = 10;

export type InterpreterState =
  | { kind: "starting"; fraction: number }
  | { kind: "ready"; stackSwitching: boolean }
  | { kind: "broken"; problem: LoadingProblem };

export interface RunListener {
  /** Python is ready and the run begins. */
  began(): void;
  result(result: TestResult): void;
  output(text: string): void;
}

/** How a run ended: by itself, by Stop, or because the runtime broke, with the reason. */
export interface RunEnd {
  how: "finished" | "stopped" | "broken";
  reason: string;
  /** Null for a program, and for a run that ended too early to be judged. */
  verdict: Verdict | null;
  /** Bytes of output that were thrown away. */
  dropped: number;
  /** Whether Python had to be started anew because of this run. */
  restarted: boolean;
}

export type RunRequest =
  | { kind: "grade"; bundle: Bundle; source: string; seed: number }
  | { kind: "program"; source: string; name: string; files: Record<string, string> };

interface Run {
  request: RunRequest;
  listener: RunListener;
  finish(end: RunEnd): void;
  stopping: boolean;
  verdict: Verdict | null;
}

export class Interpreter {
  private readonly current = signal<InterpreterState>({ kind: "starting", fraction: 0 });
  private interruptBuffer: Uint8Array | null = null;
  private worker: Worker;
  /** What the worker is doing. */
  private run: Run | null = null;
  /** What it does next: as soon as Python is ready and the warm-up is over. */
  private next: Run | null = null;
  /** Addresses of files that did not come, or came broken. */
  private failed: string[] = [];
  private ticking = 0;
  private patience = 0;
  private overdue = 0;

  /** `warmUp` is run once in each new worker, unheard: the first run of all imports so much that a
   * learner would wait for it. It gives way to a run that waits already.
   */
  constructor(private warmUp: RunRequest | null) {
    this.worker = this.startWorker();
  }

  get state(): ReadonlySignal<InterpreterState> {
    return this.current;
  }

  /** Whether a busy program can be interrupted without starting Python anew. */
  get canInterrupt(): boolean {
    return crossOriginIsolated;
  }

  /** Try again to load what could not be loaded. */
  retry(): void {
    if (this.current.value.kind === "broken") this.restart();
  }

  /** Run as soon as Python is ready. Only one run at a time. */
  start(request: RunRequest, listener: RunListener): Promise<RunEnd> {
    return new Promise((finish) => {
      this.next = { request, listener, finish, stopping: false, verdict: null };
      if (this.current.value.kind === "broken") this.restart();
      this.advance();
    });
  }

  /** End the run: ask first, and terminate the worker if it does not end itself in time. */
  stop(): void {
    if (this.next) {
      this.dismissNext("stopped", "");
      return;
    }
    const run = this.run;
    if (!run || run.stopping) return;
    run.stopping = true;
    if (!this.interruptBuffer) {
      this.terminate();
      return;
    }
    Atomics.store(this.interruptBuffer, 0, SIGINT);
    this.send({ kind: "stop" });
    this.patience = window.setTimeout(() => this.terminate(), STOP_PATIENCE_MS);
  }

  private advance(): void {
    if (this.current.value.kind !== "ready" || this.run || !this.next) return;
    this.run = this.next;
    this.next = null;
    this.run.listener.began();
    const { request } = this.run;
    this.send(request.kind === "grade" ? { ...request, bundle: JSON.stringify(request.bundle) } : request);
    if (request.kind === "grade") {
      const { test_seconds, submission_seconds } = request.bundle.limits;
      const seconds = test_seconds + submission_seconds + OVERDUE_PATIENCE_SECONDS;
      this.overdue = window.setTimeout(() => this.breakDown(word("run_overdue", { seconds })), seconds * 1000);
    }
    this.ticking = window.setInterval(() => {
      if (!this.interruptBuffer) return;
      // Pyodide may clear a byte that was written while it read the one before: a Stop is said again.
      const signal = this.run?.stopping ? SIGINT : SIGALRM;
      // Only into an empty buffer, so that a Stop is never overwritten.
      Atomics.compareExchange(this.interruptBuffer, 0, 0, signal);
    }, TICK_MS);
  }

  private startWarmUp(): void {
    if (!this.warmUp || this.next) return;
    const unheard: RunListener = {
      began: () => undefined,
      result: () => undefined,
      output: () => undefined,
    };
    const request = this.warmUp;
    this.warmUp = null; // not again, should it do harm
    void this.start(request, unheard).then(({ restarted }) => {
      if (!restarted) this.warmUp = request;
    });
  }

  private end(how: RunEnd["how"], { dropped = 0, reason = "", restarted = false } = {}): void {
    window.clearInterval(this.ticking);
    window.clearTimeout(this.patience);
    window.clearTimeout(this.overdue);
    const run = this.run;
    this.run = null;
    run?.finish({ how, reason, verdict: run.verdict, dropped, restarted });
    this.advance();
  }

  private dismissNext(how: RunEnd["how"], reason: string): void {
    const next = this.next;
    this.next = null;
    next?.finish({ how, reason, verdict: null, dropped: 0, restarted: false });
  }

  /** It did not even start, and would not at the next attempt; the learner may still ask for one. */
  private giveUp(problem: LoadingProblem): void {
    this.worker.terminate();
    this.failed = problem.addresses;
    this.current.value = { kind: "broken", problem };
    this.dismissNext("broken", "");
  }

  private breakDown(reason: string): void {
    if (!this.run) {
      this.giveUp({ kind: "other", addresses: [], message: reason });
      return;
    }
    const how = this.run.stopping ? "stopped" : "broken";
    this.restart();
    this.end(how, { reason, restarted: true });
  }

  private terminate(): void {
    this.restart();
    this.end("stopped", { restarted: true });
  }

  private restart(): void {
    this.worker.terminate();
    this.current.value = { kind: "starting", fraction: 0 };
    this.worker = this.startWorker();
  }

  private startWorker(): Worker {
    // A new one each time: an interrupt meant for the worker before must not hit the next.
    this.interruptBuffer = crossOriginIsolated ? new Uint8Array(new SharedArrayBuffer(1)) : null;
    const worker = new Worker(pageData.addresses.worker, { type: "module", name: "python" });
    // What a terminated worker had said before may still arrive.
    const hear = (message: FromWorker) => {
      if (worker === this.worker) this.hear(message);
    };
    worker.addEventListener("message", (message: MessageEvent<FromWorker>) => hear(message.data));
    worker.addEventListener("error", ({ message }) => {
      if (message) hear({ event: "fatal", message });
      // Without words, the worker's own script could not be loaded.
      else void problemOfWorker().then((problem) => hear({ event: "unloadable", problem }));
    });
    const start: ToWorker = {
      kind: "start",
      runtime: new URL(pageData.addresses.runtime, location.href).href,
      interruptBuffer: this.interruptBuffer,
      again: this.failed,
    };
    worker.postMessage(start);
    return worker;
  }

  private send(message: ToWorker): void {
    this.worker.postMessage(message);
  }

  private hear(message: FromWorker): void {
    switch (message.event) {
      case "progress":
        if (this.current.value.kind === "starting") {
          const fraction = Math.max(this.current.value.fraction, message.fraction);
          this.current.value = { kind: "starting", fraction };
        }
        break;
      case "ready":
        this.current.value = { kind: "ready", stackSwitching: message.stackSwitching };
        this.startWarmUp();
        this.advance();
        break;
      case "unloadable":
        this.giveUp(message.problem);
        break;
      case "fatal":
        this.breakDown(message.message);
        break;
      case "result":
        this.run?.listener.result(message.result);
        break;
      case "output":
        this.run?.listener.output(message.text);
        break;
      case "verdict":
        if (this.run) this.run.verdict = message.verdict;
        break;
      case "ended":
        // Threads that could not be ended keep their memory; now is a good time for a new start.
        if (message.abandoned) this.restart();
        this.end(message.stopped ? "stopped" : "finished", {
          dropped: message.dropped,
          restarted: message.abandoned > 0,
        });
        break;
    }
  }
}

async function problemOfWorker(): Promise<LoadingProblem> {
  const address = new URL(pageData.addresses.worker, location.href).href;
  const moved = await fetch(address, { method: "HEAD", cache: "no-store" }).then(
    ({ status }) => status === 404,
    () => false,
  );
  return { kind: moved ? "moved" : "files", addresses: [address], message: "" };
}
