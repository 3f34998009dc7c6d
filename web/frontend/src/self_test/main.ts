/** The self-test of a chapter: checks answers where they stand, and leads from question to question. */

import { makeScrollableFocusable } from "../scrolling";
import { word } from "../words";
import { QuestionForm } from "./question";

const head = document.querySelector<HTMLElement>("#answered");
if (!head) throw new Error("the page has no #answered");
const chapter = head.dataset["chapter"] ?? "";
const status = head.querySelector<HTMLElement>("[role=status]");
const bar = head.querySelector("progress");
const again = head.querySelector<HTMLButtonElement>("[data-action=again]");

const questions = [...document.querySelectorAll<HTMLFormElement>("form.question")].map(
  (form) => new QuestionForm(form, chapter, { judged: showProgress, next: goOnFrom }),
);
/** Whether only the questions that were wrong are shown. */
let repeating = false;

function showProgress(right: number): void {
  if (status) status.textContent = word("answered_right", { right, total: questions.length });
  if (bar) bar.value = right;
  showAgain();
}

function showAgain(): void {
  if (!again) return;
  const wrong = questions.filter((question) => question.state === "wrong").length;
  again.hidden = !repeating && wrong === 0;
  again.textContent = repeating ? word("all_questions") : word("again", { count: wrong });
}

/** To the next question that is shown and not right yet, from there on or from the beginning. */
function goOnFrom(question: QuestionForm): void {
  const at = questions.indexOf(question);
  const order = [...questions.slice(at + 1), ...questions.slice(0, at)];
  const next = order.find((one) => one.isShown && one.state !== "right" && !one.isOver);
  if (next) next.focus();
  else head?.scrollIntoView({ block: "start" });
}

again?.addEventListener("click", () => {
  repeating = !repeating;
  if (repeating) {
    for (const question of questions) {
      question.isShown = question.state === "wrong";
      if (question.isShown) question.reset();
    }
    questions.find((question) => question.isShown)?.focus();
  } else {
    for (const question of questions) question.isShown = true;
  }
  showAgain();
});

showAgain();
makeScrollableFocusable(document);
