/** The heading of the page; `main` while the page is still loading. */
export function pageHeading(): HTMLElement | null {
  const main = document.querySelector('main');
  return main && (visibleHeadingIn(main) ?? main);
}

/** While a page is loading, React keeps the page before it, hidden. jsdom cannot tell. */
function visibleHeadingIn(main: HTMLElement): HTMLElement | null {
  return [...main.querySelectorAll('h1')].find((heading) => heading.checkVisibility?.() !== false) ?? null;
}

/** Focuses the page's heading. While the page is loading, `main` has the focus until the heading appears. */
export function focusPage(): void {
  const target = pageHeading();
  // `focusVisible` is missing in TypeScript's `FocusOptions`. `main` would have a ring around the whole page.
  target?.focus({ focusVisible: target.tagName === 'H1' } as FocusOptions);
  if (target?.tagName !== 'MAIN') return;
  const observer = new MutationObserver(() => {
    if (document.activeElement === target && visibleHeadingIn(target) === null) return;
    observer.disconnect();
    if (document.activeElement === target) focusPage();
  });
  observer.observe(target, { subtree: true, childList: true });
}
