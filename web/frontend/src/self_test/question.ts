/** One question: sends what was chosen or written, and shows what is said to it. */

import { ApiError, postAnswer } from "../api";
import { pageData } from "../page_data";
import type { AnswerJudged, Html, RightAnswer } from "../types";
import { word } from "../words";

export type QuestionState = "new" | "wrong" | "right";

/** What the page wants to hear of a question. */
export interface QuestionListener {
  /** An answer was judged; so many of the chapter's questions are right now. */
  judged(right: number): void;
  next(question: QuestionForm): void;
}

export class QuestionForm {
  private readonly inputs: HTMLInputElement[];
  private readonly feedback: HTMLElement;
  private readonly check: HTMLButtonElement;
  private readonly show: HTMLButtonElement;
  private readonly onward: HTMLButtonElement;
  private asking = false;

  constructor(
    private readonly form: HTMLFormElement,
    private readonly chapter: string,
    private readonly listener: QuestionListener,
  ) {
    this.inputs = [...form.querySelectorAll("input")];
    this.feedback = this.part(".feedback");
    this.check = this.part("[data-action=check]");
    this.show = this.part("[data-action=show]");
    this.onward = this.part("[data-action=next]");
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      void this.answer(false);
    });
    this.show.addEventListener("click", () => void this.answer(true));
    this.onward.addEventListener("click", () => listener.next(this));
  }

  get state(): QuestionState {
    return this.form.dataset["state"] as QuestionState;
  }

  /** Whether the answer stands there, found or shown. */
  get isOver(): boolean {
    return this.check.hidden === true;
  }

  get isShown(): boolean {
    return this.item.hidden === false;
  }

  set isShown(shown: boolean) {
    this.item.hidden = !shown;
  }

  /** Put the reader before it. */
  focus(): void {
    this.form.scrollIntoView({ block: "nearest" });
    this.inputs[0]?.focus({ preventScroll: true });
  }

  /** As if it had never been answered; what is known of it stays. */
  reset(): void {
    this.form.reset();
    for (const input of this.inputs) {
      input.disabled = false;
      input.closest(".choice")?.removeAttribute("data-right");
    }
    this.feedback.replaceChildren();
    this.check.hidden = false;
    this.show.hidden = true;
    this.onward.hidden = true;
  }

  /** Send what is chosen or written; `asked` to be told instead. One at a time. */
  private async answer(asked: boolean): Promise<void> {
    if (this.asking) return;
    this.asking = true;
    try {
      const given = asked ? { asked } as const : { choices: this.chosen, text: this.written };
      this.say(await postAnswer(this.chapter, this.form.id, given), asked);
    } catch (error) {
      this.tell("problem", error instanceof ApiError ? error.message : String(error));
    } finally {
      this.asking = false;
    }
  }

  private get chosen(): number[] {
    return this.inputs.filter(({ name, checked }) => name === "choice" && checked).map(({ value }) => Number(value));
  }

  private get written(): string {
    return this.inputs.find(({ name }) => name === "text")?.value ?? "";
  }

  private say(judged: AnswerJudged, asked: boolean): void {
    const known = this.state;
    if (known !== "right") this.form.dataset["state"] = judged.right ? "right" : "wrong";
    if (judged.solution) {
      this.tell(judged.right ? "right" : "shown", word(judged.right ? "answer_right" : "answer_shown"));
      this.settle(judged.solution);
      this.onward.focus();
    } else {
      this.tell("wrong", word(judged.incomplete ? "answer_incomplete" : "answer_wrong"));
      for (const { choice, remark_html } of judged.remarks) this.addRemark(choice, remark_html);
      this.show.hidden = asked;
    }
    this.listener.judged(judged.right_in_chapter);
  }

  /** Nothing is left to answer: show what is right, and why. */
  private settle(solution: RightAnswer): void {
    for (const input of this.inputs) {
      input.disabled = true;
      if (input.name === "text") {
        input.value = this.state === "right" ? input.value : solution.text;
        continue;
      }
      const right = solution.choices.includes(Number(input.value));
      input.checked = right;
      input.closest(".choice")?.toggleAttribute("data-right", right);
    }
    this.feedback.append(prose("explanation", solution.explanation_html));
    this.check.hidden = true;
    this.show.hidden = true;
    this.onward.hidden = false;
  }

  private tell(kind: "right" | "wrong" | "shown" | "problem", text: string): void {
    const line = document.createElement("p");
    line.className = "told";
    line.dataset["kind"] = kind;
    line.textContent = text;
    this.feedback.replaceChildren(line);
  }

  /** What is wrong with a choice; where several are chosen, with the choice before it. */
  private addRemark(choice: number, html: Html): void {
    const remark = prose("remark", html);
    const input = this.inputs.find(({ name, value }) => name === "choice" && Number(value) === choice);
    const label = input?.type === "checkbox" ? input.closest("label")?.querySelector("span") : null;
    if (label) {
      const named = document.createElement("p");
      named.className = "remark-on";
      named.append(...[...label.childNodes].map((node) => node.cloneNode(true)));
      remark.prepend(named);
    }
    this.feedback.append(remark);
  }

  private get item(): HTMLElement {
    return this.form.closest("li") ?? this.form;
  }

  private part<Kind extends HTMLElement>(selector: string): Kind {
    const found = this.form.querySelector<Kind>(selector);
    if (!found) throw new Error(`a question has no ${selector}`);
    return found;
  }
}

/** A text of the course, sanitised by the server; never a learner's. */
function prose(name: string, html: Html): HTMLElement {
  const block = document.createElement("div");
  block.className = name;
  block.innerHTML = html[pageData.language];
  return block;
}
