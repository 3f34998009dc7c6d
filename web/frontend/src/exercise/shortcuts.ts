/** Keyboard shortcuts of the exercise page; they work inside the editor, too. */

export type Command = "run" | "submit" | "stop";

const isMac = /Mac|iPhone|iPad/.test(navigator.platform);
const MODIFIER = isMac ? "⌘" : "Ctrl";

/** As shown to the learner. */
export const SHORTCUTS: Record<Command, string> = {
  run: `${MODIFIER} + Enter`,
  submit: `${MODIFIER} + Shift + Enter`,
  // Ctrl + . alone belongs to Chinese input methods.
  stop: `${MODIFIER} + Shift + .`,
};

/** For `aria-keyshortcuts`. */
export const ARIA_SHORTCUTS: Record<Command, string> = {
  run: isMac ? "Meta+Enter" : "Control+Enter",
  submit: isMac ? "Meta+Shift+Enter" : "Control+Shift+Enter",
  stop: isMac ? "Meta+Shift+." : "Control+Shift+.",
};

function commandOf(event: KeyboardEvent): Command | null {
  const modifier = isMac ? event.metaKey : event.ctrlKey;
  if (!modifier || event.altKey || event.isComposing) return null;
  if (event.key === "Enter") return event.shiftKey ? "submit" : "run";
  return event.shiftKey && event.code === "Period" ? "stop" : null;
}

export function bindShortcuts(act: (command: Command) => void): void {
  const options = { capture: true }; // before the editor, which knows Ctrl + Enter as "new line"
  window.addEventListener(
    "keydown",
    (event) => {
      const command = commandOf(event);
      if (!command) return;
      event.preventDefault();
      event.stopPropagation();
      if (!event.repeat) act(command);
    },
    options,
  );
}
