/** The parts of the page in which the focus is kept. */
const KEPT_IN = 'main, .status-bar, [role="dialog"]';

/**
 * Keeps the focus where the user works, when the focused control is removed or disabled: the browser would move it to the
 * body, where the keyboard and screen readers lose their place. A control that is enabled again gets the focus back; for
 * one that was removed, the nearest element around it gets it, rather than the control that took its place: a key that is
 * still held would press that.
 * @returns a function that ends it
 */
export function keepFocus(): () => void {
  let last: HTMLElement | null = null;
  let around: readonly HTMLElement[] = [];

  function onFocus({ target }: FocusEvent): void {
    if (!(target instanceof HTMLElement)) return;
    last = target;
    around = ancestorsOf(target);
  }
  /** A click beside every control takes the focus away on purpose. */
  function onPointerDown(): void {
    last = null;
  }
  function restore(): void {
    if (last === null || document.activeElement !== document.body) return;
    if (last.isConnected) {
      if (last.closest(KEPT_IN) && !last.matches(':disabled')) last.focus({ preventScroll: true });
      return;
    }
    const near = around.find((element) => element.isConnected);
    last = null;
    if (near?.closest(KEPT_IN)) focusQuietly(near);
  }

  const observer = new MutationObserver(restore);
  observer.observe(document.body, { subtree: true, childList: true, attributeFilter: ['disabled'] });
  document.addEventListener('focusin', onFocus);
  document.addEventListener('pointerdown', onPointerDown, { capture: true });
  return () => {
    observer.disconnect();
    document.removeEventListener('focusin', onFocus);
    document.removeEventListener('pointerdown', onPointerDown, { capture: true });
  };
}

function ancestorsOf(element: HTMLElement): HTMLElement[] {
  const parent = element.parentElement;
  return parent === null ? [] : [parent, ...ancestorsOf(parent)];
}

/** Focuses an element that the Tab key does not reach. Of a page that changed as a whole, its heading. */
function focusQuietly(element: HTMLElement): void {
  const heading = element.matches('main, .content-inner') ? element.querySelector('h1') : null;
  const target = heading ?? element;
  if (!target.hasAttribute('tabindex')) {
    target.tabIndex = -1;
    target.addEventListener('blur', () => target.removeAttribute('tabindex'), { once: true });
  }
  target.focus({ preventScroll: true });
}
