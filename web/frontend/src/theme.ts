/** Light, dark, or as the system says. The choice is a cookie, so the server draws the right one at once. */

type Theme = "system" | "light" | "dark";

const YEAR_SECONDS = 365 * 24 * 3600;

/** Bind the choice of the page's head to the document. */
export function bindThemeChoice(): void {
  const choice = document.querySelector<HTMLSelectElement>("#theme");
  choice?.addEventListener("change", () => apply(choice.value as Theme));
}

function apply(theme: Theme): void {
  if (theme === "system") delete document.documentElement.dataset["theme"];
  else document.documentElement.dataset["theme"] = theme;
  const age = theme === "system" ? 0 : YEAR_SECONDS;
  document.cookie = `theme=${theme}; path=/; max-age=${age}; samesite=lax`;
}
