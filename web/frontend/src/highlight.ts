/** Colours Python code that stands in a page, as the editor colours it. */

import { classHighlighter, highlightCode } from "@lezer/highlight";
import { parser } from "@lezer/python";

/** The code as nodes: plain text and spans with the classes `tok-…`. Never parsed as HTML. */
export function highlighted(source: string): DocumentFragment {
  const fragment = document.createDocumentFragment();
  highlightCode(
    source,
    parser.parse(source),
    classHighlighter,
    (text, classes) => {
      if (!classes) {
        fragment.append(text);
        return;
      }
      const span = document.createElement("span");
      span.className = classes;
      span.textContent = text;
      fragment.append(span);
    },
    () => fragment.append("\n"),
  );
  return fragment;
}

/** Colour every block of Python below `root` that is not coloured yet. */
export function highlightBlocks(root: ParentNode): void {
  for (const block of root.querySelectorAll<HTMLElement>("pre > code.language-python")) {
    if (block.dataset["coloured"]) continue;
    block.dataset["coloured"] = "yes";
    block.replaceChildren(highlighted(block.textContent ?? ""));
  }
}
