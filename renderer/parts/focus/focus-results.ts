import { controlsIn } from './controls.ts';

/**
 * Focuses the first result of a search once its list is shown: the element whose `data-results-of` is the searched text.
 * Gives up when the user types on or goes elsewhere.
 * @param field has the focus and the text
 */
export function focusResults(field: HTMLInputElement): void {
  const search = field.value.trim();
  const goOn = (): boolean => {
    if (document.activeElement !== field || field.value.trim() !== search) return false;
    const lists = [...document.querySelectorAll<HTMLElement>('[data-results-of]')];
    const list = lists.find(({ dataset }) => dataset['resultsOf'] === search);
    const first = list && controlsIn(list)[0];
    first?.focus();
    return first === undefined;
  };
  if (!goOn()) return;
  const observer = new MutationObserver(() => goOn() || observer.disconnect());
  observer.observe(document.body, { subtree: true, childList: true, attributeFilter: ['data-results-of'] });
}
