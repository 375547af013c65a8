import { type RefObject, useEffect, useRef } from 'react';
import { controlsIn, focusElement } from './controls.ts';
import { isInSamePart } from './successor.ts';

/**
 * Focuses the first control of a question that appears as the answer to what the user just did, unless the user has gone
 * elsewhere meanwhile: to another part of the page, or into a field.
 */
export function useFocusWhenShown<E extends HTMLElement>(): RefObject<E | null> {
  const question = useRef<E>(null);
  useEffect(() => {
    const element = question.current;
    const active = document.activeElement;
    if (!element || !active) return;
    const isIdle = active === document.body || active.matches('h1, main');
    if (!isIdle && (active.matches('input, textarea, select') || !isInSamePart(element, active))) return;
    const [first] = controlsIn(element);
    if (first) focusElement(first);
  }, []);
  return question;
}
