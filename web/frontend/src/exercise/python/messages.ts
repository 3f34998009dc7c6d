/** What the page and its worker say to each other. */

import type { TestResult, Verdict } from "../../types";

export type ToWorker =
  /** `again` lists addresses that came broken before: they are asked for past the browser's cache. */
  | { kind: "start"; runtime: string; interruptBuffer: Uint8Array | null; again: string[] }
  | { kind: "grade"; bundle: string; source: string; seed: number }
  | { kind: "program"; source: string; name: string; files: Record<string, string> }
  | { kind: "stop" };

/** What `host.mjs` says of a run; its head describes the whole contract. */
export type RunEvent =
  | { event: "output"; stream: "stdout" | "stderr"; text: string }
  | { event: "result"; result: TestResult }
  | { event: "verdict"; verdict: Verdict }
  /** `dropped` counts bytes of output that were thrown away, `abandoned` threads that live on. */
  | { event: "ended"; exitCode: number; stopped: boolean; abandoned: number; dropped: number }
  /** The runtime broke; the worker is of no more use. */
  | { event: "fatal"; message: string };

/** Why Python could not be loaded. */
export interface LoadingProblem {
  /** What happened: files did not come; the site has other files now; anything else. */
  kind: "files" | "moved" | "other";
  /** The addresses of what did not come, or came broken. */
  addresses: string[];
  /** The browser's own words, not for the learner alone. */
  message: string;
}

export type FromWorker =
  | RunEvent
  /** How much of Python's start is done, from 0 to 1. */
  | { event: "progress"; fraction: number }
  /** The runtime could not start; the worker is of no more use. */
  | { event: "unloadable"; problem: LoadingProblem }
  | { event: "ready"; stackSwitching: boolean };
