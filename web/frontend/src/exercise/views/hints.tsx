/** Hints, one at a time. */

import { exerciseData } from "../../page_data";
import { word } from "../../words";
import { highlightBlocks } from "../../highlight";
import type { Workbench } from "../workbench";

export function Hints({ bench }: { bench: Workbench }) {
  const hints = bench.help.hints.value;
  const total = exerciseData().hintsTotal;
  const left = bench.help.hintsLeft;
  return (
    <div class="hints">
      <p class="muted" role="status">
        {word("hints_shown", { shown: hints.length, total })}
      </p>
      <ol class="hint-list">
        {hints.map((html, index) => (
          <li key={index} class="hint">
            {/* Written by the exercise's author and sanitised by the server; never a learner's text. */}
            <div
              class="prose"
              ref={(element) => {
                if (element) highlightBlocks(element);
              }}
              dangerouslySetInnerHTML={{ __html: html }}
            />
          </li>
        ))}
      </ol>
      {left > 0 && (
        <button
          type="button"
          class="button"
          data-testid="next-hint"
          onClick={() => void bench.help.nextHint()}
        >
          {word(hints.length ? "next_hint" : "first_hint")}
        </button>
      )}
      <Problem bench={bench} />
    </div>
  );
}

export function Problem({ bench }: { bench: Workbench }) {
  const problem = bench.help.problem.value;
  return (
    <p class="problem" role="alert" hidden={!problem}>
      {problem}
    </p>
  );
}
