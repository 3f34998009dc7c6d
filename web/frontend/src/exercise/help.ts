/** Hints, one at a time, and the reference solution. */

import { signal } from "@preact/signals";

import { ApiError, getHints, postHint, postSolution } from "../api";
import { exerciseData } from "../page_data";

export class Help {
  readonly hints = signal<string[]>(exerciseData().hints);
  readonly solution = signal<string | null>(exerciseData().solution);
  readonly solved = signal(exerciseData().solved);
  readonly problem = signal("");
  private asking = false;

  get hintsLeft(): number {
    return exerciseData().hintsTotal - this.hints.value.length;
  }

  async nextHint(): Promise<void> {
    await this.ask(async () => {
      await postHint(exerciseData().id);
      this.hints.value = await getHints();
    });
  }

  /** Show the reference solution; `asked` when the learner has confirmed to see it unsolved. */
  async showSolution(asked: boolean): Promise<void> {
    await this.ask(async () => {
      this.solution.value = await postSolution(exerciseData().id, asked);
    });
  }

  /** One request at a time: a double click must not spend two hints. */
  private async ask(request: () => Promise<void>): Promise<void> {
    if (this.asking) return;
    this.asking = true;
    this.problem.value = "";
    try {
      await request();
    } catch (error) {
      this.problem.value = error instanceof ApiError ? error.message : String(error);
    } finally {
      this.asking = false;
    }
  }
}
