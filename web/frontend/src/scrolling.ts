/** Whatever scrolls sideways can be reached by the keyboard: it gets the focus, and only then. */

export function makeScrollableFocusable(root: ParentNode): void {
  const blocks = root.querySelectorAll<HTMLElement>(".prose :is(pre, table)");
  const look = new ResizeObserver((entries) => {
    for (const { target } of entries) {
      const block = target as HTMLElement;
      if (block.scrollWidth > block.clientWidth) block.tabIndex = 0;
      else block.removeAttribute("tabindex");
    }
  });
  for (const block of blocks) look.observe(block);
}
