import { type RefObject, useEffect, useRef } from 'react';
import { controlsIn, focusElement, preferredIn } from './controls.ts';
import { isInSamePart } from './successor.ts';

/**
 * Focuses a question or form that appears as the answer to what the user just did: the field that asks for it, else the
 * first control. Not if the user has gone elsewhere meanwhile: to another part of the page, or into a field.
 */
export function useFocusWhenShown<E extends HTMLElement>(): RefObject<E | null> {
  const question = useRef<E>(null);
  useEffect(() => {
    const element = question.current;
    const active = document.activeElement;
    if (!element || !active) return;
    const isIdle = active === document.body || active.matches('h1, main');
    if (!isIdle && (active.matches('input, textarea, select') || !isInSamePart(element, active))) return;
    const target = preferredIn(element) ?? controlsIn(element)[0];
    if (target) focusElement(target);
  }, []);
  return question;
}
