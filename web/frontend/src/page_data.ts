/** What the server tells the page's code, as JSON inside the page. */

import type { Bundle, Language, TestHead } from "./types";

export interface ExerciseData {
  id: string;
  stub: string;
  /** The example tests, in their order. */
  tests: TestHead[];
  hintsTotal: number;
  /** Sanitised HTML, one per hint that this learner has already seen. */
  hints: string[];
  solved: boolean;
  /** The reference solution, once it was earned or asked for. */
  solution: string | null;
  /** The exercise after this one, if there is one. */
  next: { address: string; title: string } | null;
  /** `null` while the exercise is closed: its bundle would give away another exercise. */
  bundle: Bundle | null;
}

export interface PageData {
  language: Language;
  words: Record<string, string>;
  /** The editor library's own English phrases and their translations; empty in English. */
  editorPhrases: Record<string, string>;
  exercise: ExerciseData | null;
  addresses: {
    api: string;
    /** Where the page of a submission lies; its id follows. */
    submissions: string;
    /** The hints of this exercise; empty on other pages. */
    hints: string;
    runtime: string;
    worker: string;
  };
}

function read(): PageData {
  const element = document.getElementById("page-data");
  if (!element?.textContent) throw new Error("the page has no #page-data");
  return JSON.parse(element.textContent) as PageData;
}

export const pageData: PageData = read();

/** The data of the exercise; for code that only exercise pages load. */
export function exerciseData(): ExerciseData {
  if (!pageData.exercise) throw new Error("this page has no exercise");
  return pageData.exercise;
}
