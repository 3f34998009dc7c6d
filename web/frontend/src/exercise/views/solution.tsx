/** The reference solution: at once when solved, otherwise after a question. */

import { useState } from "preact/hooks";

import { word } from "../../words";
import type { Workbench } from "../workbench";
import { Code } from "./code";
import { Problem } from "./hints";

export function Solution({ bench }: { bench: Workbench }) {
  const { help } = bench;
  const solution = help.solution.value;
  const [confirming, setConfirming] = useState(false);
  if (solution !== null) {
    return (
      <div class="solution">
        <p class="muted">{word("solution_about")}</p>
        <Code source={solution} label={word("tab_solution")} />
      </div>
    );
  }
  const solved = help.solved.value;
  return (
    <div class="solution">
      <p>{word(solved ? "solution_earned" : "solution_unsolved")}</p>
      {solved && (
        <button type="button" class="button" onClick={() => void help.showSolution(false)}>
          {word("show_solution")}
        </button>
      )}
      {!solved && !confirming && (
        <button type="button" class="button" onClick={() => setConfirming(true)}>
          {word("show_solution")}
        </button>
      )}
      {!solved && confirming && (
        <div class="confirm" role="group" aria-label={word("solution_confirm")}>
          <p>{word("solution_confirm")}</p>
          <button type="button" class="button" onClick={() => void help.showSolution(true)}>
            {word("solution_yes")}
          </button>
          <button
            type="button"
            class="button primary"
            ref={(button) => button?.focus()}
            onClick={() => setConfirming(false)}
          >
            {word("solution_no")}
          </button>
        </div>
      )}
      <Problem bench={bench} />
    </div>
  );
}
