/** A closed exercise is opened for who asks: that shows them the solutions that it would give away. */

import { ApiError, postSolution } from "../api";

/** Bind the question of a closed exercise, if this is one. */
export function bindGate(): void {
  const gate = document.querySelector<HTMLElement>("[data-closed-by]");
  const ask = gate?.querySelector<HTMLButtonElement>("[data-action=open]");
  const confirm = gate?.querySelector<HTMLElement>("[data-part=confirm]");
  const yes = gate?.querySelector<HTMLButtonElement>("[data-action=open-anyway]");
  const no = gate?.querySelector<HTMLButtonElement>("[data-action=keep-closed]");
  const problem = gate?.querySelector<HTMLElement>("[role=alert]");
  if (!gate || !ask || !confirm || !yes || !no || !problem) return;
  const show = (asking: boolean) => {
    ask.hidden = asking;
    confirm.hidden = !asking;
    (asking ? no : ask).focus();
  };
  ask.addEventListener("click", () => show(true));
  no.addEventListener("click", () => show(false));
  yes.addEventListener("click", () => {
    yes.disabled = true;
    open((gate.dataset["closedBy"] ?? "").split(" "))
      .then(() => location.reload())
      .catch((error: unknown) => {
        yes.disabled = false;
        problem.textContent = error instanceof ApiError ? error.message : String(error);
      });
  });
}

async function open(exercises: string[]): Promise<void> {
  for (const exercise of exercises) await postSolution(exercise, true);
}
