/** The learner's text: editor, draft, earlier versions, and the notices about them. */

import { signal } from "@preact/signals";

import { exerciseData } from "../page_data";
import { word } from "../words";
import { type Version, type VersionReason, Drafts } from "./drafts";
import { Editor } from "./editor";

/** How long typing rests before the draft is written, in milliseconds. */
const REST_MS = 150;
/** Where the cursor stood when the page was left, for a reload or another language. */
const POSITION_KEY = `practice/position/${exerciseData().id}`;

export interface Notice {
  text: string;
  undo: (() => void) | null;
}

export class Desk {
  readonly notice = signal<Notice | null>(null);
  readonly versions = signal<Version[]>([]);
  private readonly drafts: Drafts;
  private readonly editor: Editor;
  private rest = 0;

  constructor(host: HTMLElement) {
    const { id, stub } = exerciseData();
    this.drafts = new Drafts(id, stub, () => this.tell(word("no_room_for_draft")));
    this.editor = new Editor(host, this.drafts.source, () => this.changed());
    this.versions.value = this.drafts.versions();
    this.drafts.watch(() => this.followOtherTabs());
    this.editor.position = Number(sessionStorage.getItem(POSITION_KEY) ?? 0);
    window.addEventListener("pagehide", () => this.leave());
    document.addEventListener("visibilitychange", () => this.save());
  }

  get source(): string {
    return this.editor.source;
  }

  show: Editor["show"] = (findings) => this.editor.show(findings);

  goToLine(number: number): void {
    this.editor.goToLine(number);
  }

  focus(): void {
    this.editor.focus();
  }

  /** Begin again from the stub; the former text is kept, and Undo brings it back. */
  reset(): void {
    this.put(exerciseData().stub, "reset", word("was_reset"));
  }

  /** Take another text, of a submission or an earlier version, into the editor. */
  load(source: string): void {
    this.put(source, "loaded", word("was_loaded"));
  }

  download(): void {
    const name = exerciseData().id.split("/").at(-1) ?? "solution";
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([this.source], { type: "text/x-python" }));
    link.download = `${name}.py`;
    link.click();
    // The browser has begun to read it by the next turn of the event loop.
    window.setTimeout(() => URL.revokeObjectURL(link.href), 0);
  }

  tell(text: string, undo: Notice["undo"] = null): void {
    this.notice.value = { text, undo };
  }

  private put(source: string, reason: VersionReason, text: string): void {
    const former = this.source;
    if (former === source) {
      this.tell(word("nothing_changed"));
      return;
    }
    this.drafts.keep(former, reason);
    this.versions.value = this.drafts.versions();
    this.editor.replace(source);
    this.save();
    this.tell(text, () => {
      this.editor.undo();
      // If more was typed since, Undo takes that back first; the button means the former text.
      this.editor.replace(former);
      this.notice.value = null;
    });
  }

  private changed(): void {
    window.clearTimeout(this.rest);
    this.rest = window.setTimeout(() => this.save(), REST_MS);
  }

  private save(): void {
    window.clearTimeout(this.rest);
    this.drafts.save(this.source);
  }

  private leave(): void {
    this.save();
    sessionStorage.setItem(POSITION_KEY, String(this.editor.position));
  }

  private followOtherTabs(): void {
    const mine = this.source;
    const isSaved = mine === this.drafts.source;
    const theirs = this.drafts.takeOver();
    if (theirs !== null && theirs !== mine) {
      if (!isSaved) this.drafts.keep(mine, "other_tab");
      const { position } = this.editor;
      this.editor.replace(theirs);
      this.editor.position = position;
      if (!isSaved) this.tell(word("other_tab_won"));
    }
    this.versions.value = this.drafts.versions();
  }
}
