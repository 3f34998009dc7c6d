/** The tabs below the editor: results, hints, history, solution. */

import { useRef } from "preact/hooks";

import { word } from "../../words";
import type { Tab, Workbench } from "../workbench";
import { Hints } from "./hints";
import { HistoryPanel } from "./history";
import { Results } from "./results";
import { Solution } from "./solution";

const TABS: Tab[] = ["results", "hints", "history", "solution"];

export function Panel({ bench }: { bench: Workbench }) {
  const chosen = bench.tab.value;
  const list = useRef<HTMLDivElement>(null);
  // The pattern for tabs: arrow keys walk, Tab goes on into the panel.
  const walk = (event: KeyboardEvent) => {
    const steps: Record<string, number> = { ArrowRight: 1, ArrowLeft: -1 };
    const step = steps[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const next = TABS[(TABS.indexOf(chosen) + step + TABS.length) % TABS.length] ?? chosen;
    bench.tab.value = next;
    list.current?.querySelector<HTMLElement>(`#tab-${next}`)?.focus();
  };
  return (
    <section class="panel" aria-label={word("panel_label")}>
      <div class="tabs" role="tablist" aria-label={word("panel_label")} ref={list} onKeyDown={walk}>
        {TABS.map((tab) => (
          <button
            key={tab}
            type="button"
            role="tab"
            id={`tab-${tab}`}
            aria-selected={tab === chosen}
            aria-controls="tab-panel"
            tabIndex={tab === chosen ? 0 : -1}
            onClick={() => (bench.tab.value = tab)}
          >
            {word(`tab_${tab}`)}
          </button>
        ))}
      </div>
      <div class="tab-panel" id="tab-panel" role="tabpanel" aria-labelledby={`tab-${chosen}`} tabIndex={0}>
        {chosen === "results" && <Results bench={bench} />}
        {chosen === "hints" && <Hints bench={bench} />}
        {chosen === "history" && <HistoryPanel bench={bench} />}
        {chosen === "solution" && <Solution bench={bench} />}
      </div>
    </section>
  );
}
