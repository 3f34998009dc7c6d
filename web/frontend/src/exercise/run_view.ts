/** What the results panel shows of one run: of a run in the page, or of a submission. */

import type { SourceLine, TestHead, TestResult, Verdict } from "../types";
import type { Finding } from "./editor";
import { inLanguage, messageOf } from "../words";

/** Output beyond this many characters is shown by its end only. */
const OUTPUT_SHOWN = 64 * 1024;

export type Phase =
  | "preparing" // Python is still starting
  | "waiting" // in the queue of the judge
  | "running"
  | "done"
  | "stopped"
  | "replaced" // by a newer submission
  | "failed"; // the run or the submission could not be made; `problem` says why

export interface RunView {
  place: "page" | "judge";
  kind: "tests" | "program";
  phase: Phase;
  /** The tests that will run, as far as the page may know them. */
  expected: TestHead[];
  results: TestResult[];
  verdict: Verdict | null;
  output: string;
  /** Characters of output that were left out. */
  dropped: number;
  queuePlace: number | null;
  problem: string;
  submission: string | null;
}

export function newRun(place: RunView["place"], kind: RunView["kind"], phase: Phase): RunView {
  return {
    place,
    kind,
    phase,
    expected: [],
    results: [],
    verdict: null,
    output: "",
    dropped: 0,
    queuePlace: null,
    problem: "",
    submission: null,
  };
}

/** With one more result; a result that came before under the same name is replaced. */
export function withResult(run: RunView, result: TestResult): RunView {
  const others = run.results.filter((one) => one.name !== result.name);
  return { ...run, phase: "running", results: [...others, result] };
}

export function withOutput(run: RunView, text: string): RunView {
  const output = run.output + text;
  const cut = Math.max(0, output.length - OUTPUT_SHOWN);
  return { ...run, output: output.slice(cut), dropped: run.dropped + cut };
}

export function withVerdict(run: RunView, verdict: Verdict): RunView {
  return { ...run, phase: "done", verdict, results: verdict.tests };
}

/** A test function's name, without the case of a parametrized test. */
function functionOf(name: string): string {
  return name.split("[", 1)[0] ?? name;
}

/** Tests of which no result has come yet. */
export function pendingTests(run: RunView): TestHead[] {
  const seen = new Set(run.results.map((result) => functionOf(result.name)));
  return run.expected.filter((test) => !seen.has(functionOf(test.name)));
}

/** What the editor shows at its lines. */
export function findingsOf(run: RunView): Finding[] {
  const findings = new Map<string, Finding>();
  const add = (line: SourceLine | null, message: string) => {
    if (!line) return;
    const known = findings.get(`${line.number}`);
    findings.set(`${line.number}`, {
      line,
      message: known ? `${known.message}\n\n${message}` : message,
    });
  };
  if (run.verdict) add(run.verdict.line, messageOf(run.verdict));
  for (const result of run.results) {
    if (result.outcome !== "passed") add(result.line, `${inLanguage(result.title)}\n${messageOf(result)}`);
  }
  return [...findings.values()];
}

export function isOver(run: RunView): boolean {
  return !["preparing", "waiting", "running"].includes(run.phase);
}
