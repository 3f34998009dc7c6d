/** The words a learner reads. They stand in web/site/texts.py and workbench_texts.py; the page brings
 * those it needs. */

import { pageData } from "./page_data";
import type { Title } from "./types";

/** The word of that name in the page's language, with its `{placeholders}` filled. */
export function word(name: string, values: Record<string, string | number> = {}): string {
  const text = pageData.words[name];
  if (text === undefined) throw new Error(`the page has no word ${name}`);
  return text.replace(/\{(\w+)\}/g, (all, key: string) => String(values[key] ?? all));
}

/** A title, or any pair of texts, in the page's language. */
export function inLanguage(title: Title): string {
  return title[pageData.language];
}

/** A message of a verdict or of the API in the page's language; English where Chinese is missing. */
export function messageOf(owner: { message: string | null; message_zh: string | null }): string {
  const chinese = pageData.language === "zh" ? owner.message_zh : null;
  return chinese ?? owner.message ?? "";
}

const clock = new Intl.DateTimeFormat(pageData.language === "zh" ? "zh-CN" : "en-GB", {
  day: "numeric",
  month: "short",
  hour: "2-digit",
  minute: "2-digit",
});

/** Day and time in the learner's own time zone. */
export function timeText(when: Date): string {
  return clock.format(when);
}

/** A duration given in milliseconds, as a learner reads it. */
export function durationText(milliseconds: number): string {
  return milliseconds < 1000
    ? `${Math.max(1, Math.round(milliseconds))} ms`
    : `${(milliseconds / 1000).toFixed(1)} s`;
}
