/** Keeps the learner's place while the language is switched.
 *
 * Texts differ in length, so a place is remembered as a heading and the distance below it, not as a
 * number of pixels.
 */

const KEY = "practice/place";

interface Place {
  path: string;
  heading: number;
  offset: number;
}

/** The element that scrolls: the statement's own column on wide screens, else the page. */
function scroller(): Element {
  const column = document.querySelector(".statement-column");
  if (column && column.scrollHeight > column.clientHeight + 1) {
    const overflow = getComputedStyle(column).overflowY;
    if (overflow === "auto" || overflow === "scroll") return column;
  }
  return document.scrollingElement ?? document.documentElement;
}

function headings(): Element[] {
  return [...document.querySelectorAll("main :is(h1, h2, h3, legend)")];
}

function pathWithoutLanguage(path: string): string {
  return path.replace(/^\/(en|zh)(?=\/|$)/, "");
}

function remember(): void {
  const tops = headings().map((heading) => heading.getBoundingClientRect().top);
  const passed = tops.filter((top) => top <= 80).length;
  const place: Place = {
    path: pathWithoutLanguage(location.pathname),
    heading: passed - 1,
    offset: passed ? -(tops[passed - 1] ?? 0) : 0,
  };
  sessionStorage.setItem(KEY, JSON.stringify(place));
}

function restore(): void {
  const kept = sessionStorage.getItem(KEY);
  sessionStorage.removeItem(KEY);
  if (!kept) return;
  const place = JSON.parse(kept) as Place;
  const heading = headings()[place.heading];
  if (place.path !== pathWithoutLanguage(location.pathname) || !heading) return;
  scroller().scrollTop += heading.getBoundingClientRect().top + place.offset;
}

export function keepPlaceAcrossLanguages(): void {
  restore();
  document.querySelector("#language")?.addEventListener("click", remember);
}
