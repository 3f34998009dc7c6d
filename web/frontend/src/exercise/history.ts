/** The learner's earlier submissions to this exercise, with their code on demand. */

import { signal } from "@preact/signals";

import { ApiError, getSubmission, getSubmissions } from "../api";
import { exerciseData } from "../page_data";
import type { Submission } from "../types";

export class History {
  /** Newest first; null until they have come. */
  readonly submissions = signal<Submission[] | null>(null);
  readonly problem = signal("");

  async refresh(): Promise<void> {
    try {
      this.submissions.value = await getSubmissions(exerciseData().id);
      this.problem.value = "";
    } catch (error) {
      this.problem.value = error instanceof ApiError ? error.message : String(error);
    }
  }

  /** The code of one submission; null if it could not be had, and `problem` says why. */
  async code(id: string): Promise<string | null> {
    try {
      return (await getSubmission(id)).source ?? null;
    } catch (error) {
      this.problem.value = error instanceof ApiError ? error.message : String(error);
      return null;
    }
  }

  /** The newest submission that has no verdict yet. */
  get pending(): Submission | undefined {
    return this.submissions.value?.find(({ state }) => state === "waiting" || state === "running");
  }
}
