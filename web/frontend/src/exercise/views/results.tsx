/** One run: dots for a first look, the verdict in words, then the tests. */

import { exerciseData } from "../../page_data";
import type { TestHead } from "../../types";
import { durationText, inLanguage, messageOf, word } from "../../words";
import { isOver, pendingTests, type RunView } from "../run_view";
import type { Workbench } from "../workbench";
import { Sentence } from "./sentence";
import { LineLink, Output, TestList } from "./tests";

export function Results({ bench }: { bench: Workbench }) {
  const run = bench.runs.view.value;
  if (!run) return <Welcome bench={bench} />;
  const pending = pendingTests(run);
  return (
    <div class="results" data-phase={run.phase} data-place={run.place}>
      <Summary run={run} pending={pending} />
      <p class="label-of-place">{word(run.place === "page" ? "place_page" : "place_judge")}</p>
      {run.place === "page" && <Limits bench={bench} />}
      <VerdictMessage run={run} bench={bench} />
      <TestList results={run.results} pending={pending} isOver={isOver(run)} bench={bench} />
      {run.output && <Output text={run.output} dropped={run.dropped} />}
    </div>
  );
}

/** What this browser lacks for runs in the page, and what works all the same. */
function Limits({ bench }: { bench: Workbench }) {
  const state = bench.runs.python.state.value;
  return (
    <>
      {!bench.runs.python.canInterrupt && <p class="note">{word("no_shared_memory")}</p>}
      {state.kind === "ready" && !state.stackSwitching && (
        <p class="note">{word("no_stack_switching")}</p>
      )}
    </>
  );
}

function Welcome({ bench }: { bench: Workbench }) {
  return (
    <div class="results empty">
      <p class="summary-text">{word(exerciseData().bundle ? "results_empty" : "results_closed")}</p>
      <p class="label-of-place">{word("place_page")}</p>
      <Limits bench={bench} />
      <TestList results={[]} pending={exerciseData().tests} isOver={false} bench={bench} />
    </div>
  );
}

/** Colours say the same as the words beside them. */
function Summary({ run, pending }: { run: RunView; pending: TestHead[] }) {
  const passed = run.results.filter((result) => result.outcome === "passed").length;
  const total = run.results.length + (isOver(run) ? 0 : pending.length);
  return (
    <div class="summary" data-outcome={run.verdict?.verdict ?? ""}>
      <p class="summary-text" role="status" data-testid="summary">
        {summaryText(run, passed, total)}
      </p>
      <span class="dots" aria-hidden="true">
        {run.results.map((result) => (
          <i key={result.name} class="dot" data-outcome={result.outcome} title={inLanguage(result.title)} />
        ))}
        {isOver(run) || pending.map((test) => <i key={test.name} class="dot" title={inLanguage(test.title)} />)}
      </span>
    </div>
  );
}

function summaryText(run: RunView, passed: number, total: number): string {
  switch (run.phase) {
    case "preparing":
      return word("phase_preparing");
    case "waiting":
      return run.queuePlace ? word("phase_place", { place: run.queuePlace }) : word("phase_waiting");
    case "running":
      if (run.kind === "program") return word("phase_program");
      return total ? word("phase_running", { passed, total }) : word("phase_grading");
    case "stopped":
      if (run.kind === "program") return word("phase_program_stopped");
      return word("phase_stopped", { passed, total });
    case "replaced":
      return word("phase_replaced");
    case "failed":
      return word("phase_failed");
    case "done":
      break;
  }
  if (!run.verdict) return word("phase_ended");
  const time = durationText(run.verdict.duration_ms);
  if (run.verdict.status !== "pass") {
    const outcome = word(`outcome_${run.verdict.verdict}`);
    return word("phase_not_passed", { outcome, passed, total, time });
  }
  return word(run.place === "page" ? "phase_passed_page" : "phase_passed_judge", { total, time });
}

function VerdictMessage({ run, bench }: { run: RunView; bench: Workbench }) {
  const { verdict, problem } = run;
  const message = verdict ? messageOf(verdict) : "";
  return (
    <div class="verdict" aria-live="polite">
      {problem && <p class="problem">{problem}</p>}
      {message && (
        <p class="message">
          <Sentence text={message} />
        </p>
      )}
      {verdict?.line && <LineLink line={verdict.line} bench={bench} />}
      {verdict?.explanations.map((explanation) => (
        <div class="explanation" key={explanation.wrong}>
          <h3>{word("explanation")}</h3>
          <p>
            <Sentence text={inLanguage(explanation)} />
          </p>
        </div>
      ))}
      {verdict?.status === "pass" && <NextStep place={run.place} />}
    </div>
  );
}

function NextStep({ place }: { place: RunView["place"] }) {
  if (place === "page") return <p class="next-step">{word("next_submit")}</p>;
  const { next } = exerciseData();
  if (!next) return null;
  return (
    <p class="next-step">
      <a class="button primary" href={next.address}>
        {word("next_exercise", { title: next.title })}
      </a>
    </p>
  );
}
