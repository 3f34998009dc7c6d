/** Everything the exercise page works with, put together; views draw it and call it. */

import { signal } from "@preact/signals";

import { Desk } from "./desk";
import { Help } from "./help";
import { History } from "./history";
import { findingsOf, isOver } from "./run_view";
import { Runs } from "./runs";
import type { Command } from "./shortcuts";

export type Tab = "results" | "hints" | "history" | "solution";

export class Workbench {
  readonly runs: Runs;
  readonly help = new Help();
  readonly history = new History();
  readonly desk: Desk;
  readonly tab = signal<Tab>("results");

  constructor(editorHost: HTMLElement) {
    // First, because Python takes longest to start.
    this.runs = new Runs((verdict) => {
      if (verdict.status === "pass") this.help.solved.value = true;
      void this.history.refresh();
    });
    this.desk = new Desk(editorHost);
    this.runs.view.subscribe((run) => {
      if (run) this.desk.show(isOver(run) ? findingsOf(run) : []);
    });
    const left = Runs.left();
    if (left) this.runs.resume(left);
    void this.history.refresh().then(() => {
      // In a new tab, or after the browser was closed.
      const { pending } = this.history;
      if (pending && !this.runs.view.value) this.runs.resume(pending.id);
    });
  }

  act(command: Command): void {
    if (command === "stop") {
      this.runs.stop();
      return;
    }
    this.showResults();
    void (command === "run" ? this.runs.runTests(this.desk.source) : this.runs.submit(this.desk.source));
  }

  runFile(): void {
    this.showResults();
    void this.runs.runFile(this.desk.source);
  }

  private showResults(): void {
    this.tab.value = "results";
    // On narrow screens the results lie below the editor.
    document.getElementById("panel")?.scrollIntoView({ block: "nearest" });
  }

  goToLine(number: number): void {
    this.desk.goToLine(number);
  }
}
