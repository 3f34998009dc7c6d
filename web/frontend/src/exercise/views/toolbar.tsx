/** The buttons above the editor, and the state of Python. */

import { exerciseData } from "../../page_data";
import { word } from "../../words";
import { ARIA_SHORTCUTS, type Command, SHORTCUTS } from "../shortcuts";
import type { Workbench } from "../workbench";

function CommandButton(props: {
  command: Command;
  bench: Workbench;
  disabled?: boolean;
  kind: "primary" | "submit" | "quiet";
}) {
  const { command, bench, disabled, kind } = props;
  return (
    <button
      type="button"
      class={`button ${kind}`}
      data-command={command}
      title={`${word(`${command}_title`)} (${SHORTCUTS[command]})`}
      aria-keyshortcuts={ARIA_SHORTCUTS[command]}
      disabled={disabled}
      onClick={() => bench.act(command)}
    >
      {word(command)}
    </button>
  );
}

function QuietButton(props: { name: string; act: () => void; disabled?: boolean }) {
  return (
    <button
      type="button"
      class="button quiet"
      data-action={props.name}
      title={word(`${props.name}_title`)}
      disabled={props.disabled}
      onClick={props.act}
    >
      {word(props.name)}
    </button>
  );
}

export function Toolbar({ bench }: { bench: Workbench }) {
  const busy = bench.runs.busy.value;
  const closed = exerciseData().bundle === null;
  return (
    <div class="toolbar" role="group" aria-label={word("toolbar")}>
      <div class="toolbar-group">
        <CommandButton command="run" bench={bench} kind="primary" disabled={busy || closed} />
        <CommandButton command="stop" bench={bench} kind="quiet" disabled={!busy} />
        <CommandButton command="submit" bench={bench} kind="submit" disabled={closed} />
      </div>
      <div class="toolbar-group">
        <QuietButton name="run_file" act={() => bench.runFile()} disabled={busy || closed} />
        <QuietButton name="reset" act={() => bench.desk.reset()} />
        <QuietButton name="download" act={() => bench.desk.download()} />
      </div>
      <PythonState bench={bench} />
    </div>
  );
}

function PythonState({ bench }: { bench: Workbench }) {
  const state = bench.runs.python.state.value;
  const percent = state.kind === "starting" ? Math.round(state.fraction * 100) : 100;
  const text =
    state.kind === "starting"
      ? word("python_starting", { percent })
      : state.kind === "ready"
        ? word("python_ready")
        : word("python_broken");
  return (
    <div class="python-state" data-state={state.kind}>
      <span class="python-light" aria-hidden="true" />
      <span class="python-text">{text}</span>
      {state.kind === "starting" && (
        <span class="python-percent" aria-hidden="true">
          {percent} %
        </span>
      )}
      {state.kind === "starting" && (
        <progress max={100} value={percent} aria-label={word("python_progress")} />
      )}
    </div>
  );
}
