/** A block of Python in the page's colours. */

import { useEffect, useRef } from "preact/hooks";

import { highlighted } from "../../highlight";

export function Code({ source, label }: { source: string; label: string }) {
  const code = useRef<HTMLElement>(null);
  useEffect(() => code.current?.replaceChildren(highlighted(source)), [source]);
  return (
    // Focusable, so that the keyboard can scroll it.
    <pre class="code" tabIndex={0} role="region" aria-label={label}>
      <code ref={code} />
    </pre>
  );
}
