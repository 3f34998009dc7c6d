/** Runs on every page: theme, language, code, and times in the learner's own zone. */

import { highlightBlocks } from "./highlight";
import { keepPlaceAcrossLanguages } from "./place";
import { makeScrollableFocusable } from "./scrolling";
import { follow } from "./submission";
import { bindThemeChoice } from "./theme";
import { timeText } from "./words";

bindThemeChoice();
highlightBlocks(document);
makeScrollableFocusable(document);
keepPlaceAcrossLanguages();
for (const time of document.querySelectorAll<HTMLTimeElement>("time[datetime]")) {
  time.textContent = timeText(new Date(time.dateTime));
}

// The page of a submission without a verdict shows it as soon as it is there.
const pending = document.querySelector<HTMLElement>("[data-pending-submission]");
if (pending) {
  const nothing = () => undefined;
  const reload = () => location.reload();
  follow(pending.dataset["pendingSubmission"] ?? "", {
    waiting: nothing,
    running: nothing,
    result: nothing,
    disconnected: nothing,
    gone: nothing,
    done: reload,
    replaced: reload,
  });
}
