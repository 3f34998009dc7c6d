/** Python could not be loaded: what is missing, what still works, and how to go on. */

import { word } from "../../words";
import type { Interpreter } from "../python/interpreter";
import type { LoadingProblem } from "../python/messages";

export function PythonProblem({ python }: { python: Interpreter }) {
  const state = python.state.value;
  const problem = state.kind === "broken" ? state.problem : null;
  return (
    <div class="python-problem" role="alert" hidden={!problem}>
      {problem && (
        <>
          <div>
            <p>{explanation(problem)}</p>
            <p>{word("python_still_works")}</p>
          </div>
          <WayOn python={python} kind={problem.kind} />
        </>
      )}
    </div>
  );
}

function WayOn({ python, kind }: { python: Interpreter; kind: LoadingProblem["kind"] }) {
  const moved = kind === "moved";
  return (
    <button
      type="button"
      class="button"
      data-action={moved ? "reload" : "retry"}
      onClick={() => (moved ? location.reload() : python.retry())}
    >
      {word(moved ? "reload_page" : "try_again")}
    </button>
  );
}

function explanation({ kind, addresses, message }: LoadingProblem): string {
  if (kind === "moved") return word("python_moved");
  if (kind === "other") return word("python_not_started", { reason: message });
  const files = addresses.map((address) => address.slice(address.lastIndexOf("/") + 1));
  return word("python_not_loaded", { files: files.join(", ") });
}
