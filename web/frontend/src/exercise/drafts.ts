/** The learner's text, kept in this browser so that nothing typed is ever lost.
 *
 * localStorage, because it is written at once: a write begun while a page closes is not cut off.
 * Beside the draft stand earlier versions: whatever Reset, an old submission, or another tab has
 * taken the place of.
 */

const VERSIONS_KEPT = 30;

export interface Draft {
  source: string;
  /** Milliseconds since 1970. */
  changedAt: number;
}

export type VersionReason = "reset" | "loaded" | "other_tab";

export interface Version {
  source: string;
  keptAt: number;
  reason: VersionReason;
}

export class Drafts {
  private readonly draftKey: string;
  private readonly versionsKey: string;
  /** What this tab has last written or taken over; another tab's text differs from it. */
  private known: Draft;

  /** Without a draft the code is the `stub`; a corrected stub reaches those who have not begun.
   * `onFull` is told when the browser has no room left for a draft.
   */
  constructor(
    exercise: string,
    stub: string,
    private readonly onFull: () => void,
  ) {
    this.draftKey = `practice/draft/${exercise}`;
    this.versionsKey = `practice/versions/${exercise}`;
    this.known = this.stored() ?? { source: stub, changedAt: 0 };
  }

  /** What this tab has last saved or taken over; in the beginning, what it finds. */
  get source(): string {
    return this.known.source;
  }

  save(source: string): void {
    if (this.known.source === source) return;
    this.known = { source, changedAt: Date.now() };
    this.write(this.draftKey, this.known);
  }

  /** The code of another tab, if it has changed since; from then on it is this tab's, too. */
  takeOver(): string | null {
    const stored = this.stored();
    if (!stored || stored.source === this.known.source) return null;
    if (stored.changedAt < this.known.changedAt) return null;
    this.known = stored;
    return stored.source;
  }

  /** Calls `changed` when another tab has written the draft or a version. */
  watch(changed: () => void): void {
    window.addEventListener("storage", (event) => {
      if (event.key === this.draftKey || event.key === this.versionsKey) changed();
    });
    // A tab that was frozen, or came back by the Back button, has heard no event.
    window.addEventListener("pageshow", changed);
    window.addEventListener("focus", changed);
  }

  /** Newest first. */
  versions(): Version[] {
    return parse<Version[]>(localStorage.getItem(this.versionsKey)) ?? [];
  }

  keep(source: string, reason: VersionReason): void {
    const others = this.versions().filter((version) => version.source !== source);
    const versions = [{ source, keptAt: Date.now(), reason }, ...others];
    this.write(this.versionsKey, versions.slice(0, VERSIONS_KEPT));
  }

  private stored(): Draft | null {
    return parse<Draft>(localStorage.getItem(this.draftKey));
  }

  private write(key: string, value: Draft | Version[]): void {
    const text = JSON.stringify(value);
    for (;;) {
      try {
        localStorage.setItem(key, text);
        return;
      } catch {
        // Old versions, here or of other exercises, give way before a draft is lost.
        if (!dropOldestVersion()) {
          this.onFull();
          return;
        }
      }
    }
  }
}

/** What was written as JSON; null for nothing, and for what is none of ours. */
function parse<Value>(text: string | null): Value | null {
  try {
    return text === null ? null : (JSON.parse(text) as Value);
  } catch {
    return null;
  }
}

/** Remove the oldest version of any exercise; false if there is none. */
function dropOldestVersion(): boolean {
  let oldest: { key: string; versions: Version[]; keptAt: number } | null = null;
  for (let i = 0; i < localStorage.length; i++) {
    const key = localStorage.key(i) ?? "";
    if (!key.startsWith("practice/versions/")) continue;
    const versions = parse<Version[]>(localStorage.getItem(key)) ?? [];
    const last = versions.at(-1);
    if (last && (!oldest || last.keptAt < oldest.keptAt)) {
      oldest = { key, versions, keptAt: last.keptAt };
    }
  }
  if (!oldest) return false;
  localStorage.setItem(oldest.key, JSON.stringify(oldest.versions.slice(0, -1)));
  return true;
}
