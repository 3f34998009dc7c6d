/** The code editor: Python, four spaces, search, findings at their line, no keyboard trap. */

import {
  autocompletion,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
} from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab, undo } from "@codemirror/commands";
import { python } from "@codemirror/lang-python";
import {
  bracketMatching,
  foldGutter,
  foldKeymap,
  indentOnInput,
  indentUnit,
} from "@codemirror/language";
import { type Diagnostic, lintGutter, lintKeymap, setDiagnostics } from "@codemirror/lint";
import { highlightSelectionMatches, search, searchKeymap } from "@codemirror/search";
import { EditorState, type Extension } from "@codemirror/state";
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  highlightSpecialChars,
  keymap,
  lineNumbers,
} from "@codemirror/view";

import { pageData } from "../page_data";
import type { SourceLine } from "../types";
import { word } from "../words";
import { editorLook } from "./editor_look";

/** Something to say at a line of the learner's code. */
export interface Finding {
  line: SourceLine;
  message: string;
}

const behaviour: Extension = [
  lineNumbers(),
  foldGutter(),
  lintGutter(),
  highlightSpecialChars(),
  history(),
  drawSelection(),
  indentOnInput(),
  bracketMatching(),
  closeBrackets(),
  autocompletion(),
  highlightActiveLine(),
  highlightActiveLineGutter(),
  highlightSelectionMatches(),
  search({ top: true }),
  EditorState.tabSize.of(4),
  indentUnit.of("    "),
  python(),
  // Escape makes the next Tab leave the editor (the library's own rule); the page tells learners so.
  keymap.of([
    ...closeBracketsKeymap,
    ...defaultKeymap,
    ...searchKeymap,
    ...historyKeymap,
    ...foldKeymap,
    ...completionKeymap,
    ...lintKeymap,
    indentWithTab,
  ]),
];

export class Editor {
  private readonly view: EditorView;

  /** Draw the editor inside `host`. `changed` is called after every change of the text.
   *
   * It lives in a shadow root: there the library adds its styles as a constructed style sheet, which
   * the site's content security policy allows, while `<style>` elements are forbidden.
   */
  constructor(host: HTMLElement, source: string, changed: (source: string) => void) {
    const root = host.attachShadow({ mode: "open" });
    this.view = new EditorView({
      root,
      parent: root,
      state: EditorState.create({
        doc: source,
        extensions: [
          behaviour,
          editorLook,
          EditorState.phrases.of(pageData.editorPhrases),
          EditorView.contentAttributes.of({
            // It can have the focus anyway; said aloud for whoever inspects what scrolls.
            tabindex: "0",
            "aria-label": word("editor_label"),
            "aria-description": word("editor_leave"),
          }),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) changed(this.source);
          }),
        ],
      }),
    });
  }

  get source(): string {
    return this.view.state.doc.toString();
  }

  /** Put another text in place of the whole; one Undo brings the former back. */
  replace(source: string): void {
    if (source === this.source) return;
    this.view.dispatch({
      changes: { from: 0, to: this.view.state.doc.length, insert: source },
      userEvent: "input.replace",
    });
  }

  undo(): void {
    undo(this.view);
    this.view.focus();
  }

  focus(): void {
    this.view.focus();
  }

  /** Where the cursor stands, in characters from the beginning. */
  get position(): number {
    return this.view.state.selection.main.head;
  }

  set position(position: number) {
    const anchor = Math.min(Math.max(position, 0), this.view.state.doc.length);
    this.view.dispatch({ selection: { anchor }, scrollIntoView: true });
  }

  /** Select a line of the learner's file (from 1) and bring it into view. */
  goToLine(number: number): void {
    const { doc } = this.view.state;
    const line = doc.line(Math.min(Math.max(number, 1), doc.lines));
    this.view.dispatch({
      selection: { anchor: line.from, head: line.to },
      effects: EditorView.scrollIntoView(line.from, { y: "center" }),
    });
    this.view.focus();
  }

  /** Show findings in the gutter and under their lines. A line that has changed since shows none. */
  show(findings: Finding[]): void {
    const { doc } = this.view.state;
    const diagnostics: Diagnostic[] = [];
    for (const { line, message } of findings) {
      if (line.number < 1 || line.number > doc.lines) continue;
      const place = doc.line(line.number);
      if (place.text.trim() !== line.text.trim()) continue;
      const indent = place.text.length - place.text.trimStart().length;
      diagnostics.push({
        from: place.from + indent,
        to: place.to,
        severity: "error",
        message,
      });
    }
    diagnostics.sort((one, other) => one.from - other.from);
    this.view.dispatch(setDiagnostics(this.view.state, diagnostics));
  }
}
