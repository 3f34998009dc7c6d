/** The forms of the API and of a verdict, as docs/architecture.md describes them. */

export type Language = "en" | "zh";

export interface Title {
  en: string;
  zh: string;
}

export type Outcome =
  | "passed"
  | "wrong"
  | "error"
  | "timeout"
  | "crashed"
  | "output"
  | "memory"
  | "forbidden"
  | "internal";

export interface SourceLine {
  /** Counts from 1. */
  number: number;
  text: string;
}

export interface TestHead {
  name: string;
  title: Title;
}

export interface TestResult extends TestHead {
  outcome: Outcome;
  visibility: "example" | "hidden";
  message: string | null;
  message_zh: string | null;
  expected: string | null;
  actual: string | null;
  diff: string | null;
  line: SourceLine | null;
  output: string;
  test_code: string | null;
  duration_ms: number;
}

export interface Explanation extends Title {
  wrong: string;
}

export interface Verdict {
  verdict: Outcome;
  status: "pass" | "fail" | "error";
  blame: "learner" | "author" | "judge" | null;
  message: string | null;
  message_zh: string | null;
  line: SourceLine | null;
  tests: TestResult[];
  explanations: Explanation[];
  backend: "cpython" | "page";
  duration_ms: number;
  seed: number;
}

/** What the page's own code reads of a bundle; the rest is for the in-page examiner. */
export interface Bundle {
  /** The name of the learner's file, as messages show it. */
  display: string;
  /** Modules that the learner's file may import, by their dotted names. */
  support: Record<string, [source: string, path: string, isPackage: boolean]>;
  limits: { test_seconds: number; submission_seconds: number };
}

/** HTML that the server has made safe, in both languages. */
export type Html = Title;

/** A right answer: the positions of choices, from 0, or what to write. */
export interface RightAnswer {
  choices: number[];
  text: string;
  explanation_html: Html;
}

/** What is said to an answer in a self-test. */
export interface AnswerJudged {
  right: boolean;
  /** All that was chosen is right, but more is. */
  incomplete: boolean;
  remarks: { choice: number; remark_html: Html }[];
  /** Only when right, or asked for. */
  solution: RightAnswer | null;
  /** How many of the chapter's questions this learner has answered rightly. */
  right_in_chapter: number;
}

export type SubmissionState = "waiting" | "running" | "done" | "replaced";

export interface Submission {
  id: string;
  exercise: string;
  state: SubmissionState;
  /** ISO 8601, with a time zone. */
  created: string;
  outcome: Outcome | null;
  passed_tests: number;
  tests: number;
  /** Only where one submission is asked for. */
  source?: string;
  verdict?: Verdict | null;
}
