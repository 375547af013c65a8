/** Text is typed there by a key that is held. */
const TEXT = 'textarea, select, [contenteditable="true"]';

/**
 * Lets a held Enter or Space press one control only: the focus may be on the control that took its place by the time the
 * key repeats. Also keeps a held Enter from sending a form twice.
 * @returns a function that ends it
 */
export function ignoreHeldKeys(): () => void {
  function onKeyDown(event: KeyboardEvent): void {
    const { target, key, repeat } = event;
    if (!repeat || !(target instanceof Element) || target.matches(TEXT)) return;
    if (key !== 'Enter' && (key !== ' ' || target.matches('input:not([type="checkbox"], [type="radio"])'))) return;
    event.preventDefault();
    event.stopPropagation();
  }
  window.addEventListener('keydown', onKeyDown, { capture: true });
  return () => window.removeEventListener('keydown', onKeyDown, { capture: true });
}
