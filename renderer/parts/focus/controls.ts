const CONTROLS = 'a[href], button, input:not([type="hidden"]), select, textarea, summary';
const HEADINGS = 'h1, h2, h3, h4, [role="heading"]';

/** Whether the element can have the focus now: a disabled, hidden or removed one cannot. */
export function isFocusable(element: HTMLElement): boolean {
  return element.isConnected && !element.matches(':disabled') && isVisible(element);
}

/** The controls in an element, itself included, that the Tab key reaches; in the order of the document. */
export function controlsIn(root: Element): HTMLElement[] {
  return within(root, CONTROLS).filter((each) => each.tabIndex >= 0 && isFocusable(each));
}

/** The first heading in an element, itself included. */
export function headingIn(root: Element): HTMLElement | null {
  return within(root, HEADINGS).find(isVisible) ?? null;
}

/** The field or button that asks for the focus when its dialog or form appears. */
export function preferredIn(root: Element): HTMLElement | null {
  return within(root, '[data-autofocus]').find(isFocusable) ?? null;
}

/** Focuses an element, also one that the Tab key does not reach. It then leaves the order of the Tab key as it was. */
export function focusElement(element: HTMLElement, options: FocusOptions = {}): void {
  if (element.tabIndex < 0 && !element.hasAttribute('tabindex')) {
    element.tabIndex = -1;
    element.addEventListener('blur', () => element.removeAttribute('tabindex'), { once: true });
  }
  element.focus(options);
}

function within(root: Element, selector: string): HTMLElement[] {
  const found = [...root.querySelectorAll<HTMLElement>(selector)];
  return root instanceof HTMLElement && root.matches(selector) ? [root, ...found] : found;
}

function isVisible(element: HTMLElement): boolean {
  if (element.closest('[inert], [hidden], [aria-hidden="true"]')) return false;
  // jsdom has no layout, hence no checkVisibility.
  return 'checkVisibility' in element ? element.checkVisibility({ visibilityProperty: true }) : true;
}
