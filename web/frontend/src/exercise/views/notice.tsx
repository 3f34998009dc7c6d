/** What has just happened to the learner's text, with a way back. */

import { useEffect } from "preact/hooks";

import { word } from "../../words";
import type { Desk } from "../desk";

const SHOWN_MS = 12_000;

export function NoticeBar({ desk }: { desk: Desk }) {
  const notice = desk.notice.value;
  useEffect(() => {
    if (!notice) return;
    const timer = window.setTimeout(() => (desk.notice.value = null), SHOWN_MS);
    return () => window.clearTimeout(timer);
  }, [notice, desk]);
  return (
    <div class="notice" role="status" data-shown={notice !== null}>
      {notice && (
        <>
          <span>{notice.text}</span>
          {notice.undo && (
            <button type="button" class="button" onClick={notice.undo}>
              {word("undo")}
            </button>
          )}
          <button type="button" class="button" aria-label={word("close")} onClick={() => (desk.notice.value = null)}>
            ×
          </button>
        </>
      )}
    </div>
  );
}
