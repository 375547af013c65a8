import { focusElement, isFocusable } from './controls.ts';
import { focusPage, pageHeading } from './focus-page.ts';
import { counterpartOf, isInSamePart, nearestTo, partHeading, type Removal, removalOf } from './successor.ts';

const OVERLAYS = '[role="dialog"], [role="menu"], [role="listbox"]';
/** The number of earlier places that are kept: a dialog opened from a menu in a dialog needs three. */
const KEPT = 8;

/** An element that had the focus. */
interface Place {
  readonly element: HTMLElement;
  /** The dialog or menu around it. */
  readonly overlay: Element | null;
  /** Set once it was removed. */
  removal: Removal | null;
}

/**
 * Keeps the focus on the page. Browsers move it to the body when the focused control is removed, disabled or hidden; there
 * the keyboard and screen readers lose their place. The control that took the place gets it instead, or the heading of
 * what appeared; without either, the control of the same part of the page that had it before, or the nearest one. After
 * a dialog whose opener is gone, all this holds for the opener. A disabled control gets it back.
 * A click beside every control takes the focus away on purpose, and is respected.
 * @returns a function that ends it
 */
export function keepFocus(): () => void {
  let places: Place[] = [];
  /** A control that is disabled for now, and the heading that has the focus until then. */
  let waiting: { readonly place: Place; readonly standIn: HTMLElement } | null = null;
  let byPointer = false;
  /** The user clicked beside every control. */
  let isGivenUp = false;

  function onFocus({ target }: FocusEvent): void {
    if (!(target instanceof HTMLElement)) return;
    isGivenUp = false;
    if (target !== waiting?.standIn) waiting = null;
    const kept = places.filter(({ element, overlay }) => element !== target && (overlay?.isConnected ?? true));
    places = [{ element: target, overlay: target.closest(OVERLAYS), removal: null }, ...kept].slice(0, KEPT);
  }
  /** A control can be hidden or disabled without a change that is observed. */
  function onBlur({ relatedTarget }: FocusEvent): void {
    if (relatedTarget === null) queueMicrotask(() => isLost() && places[0]?.element.isConnected && restore());
  }
  function onPointerDown({ target }: PointerEvent): void {
    byPointer = true;
    isGivenUp = !document.activeElement?.contains(target as Node) || isLost();
  }
  function onKeyDown(): void {
    byPointer = false;
  }
  function onChange(records: readonly MutationRecord[]): void {
    for (const place of places) trace(place, records);
    if (waiting && document.activeElement === waiting.standIn) {
      const { place } = waiting;
      if (isFocusable(place.element) || place.removal) give(replacementOf(place));
    } else if (isLost()) {
      restore();
    }
  }

  function restore(): void {
    const [latest] = places;
    if (!latest || isGivenUp || isFocusable(latest.element)) return; // blurred on purpose
    give(replacementOf(latest) ?? pageHeading());
  }
  function replacementOf(latest: Place): HTMLElement | null {
    // After a dialog or menu, the place before it counts.
    const place = isOpen(latest) ? latest : places.find(isOpen);
    return place ? (successorOf(place) ?? (place.removal && afterwards(place, place.removal))) : null;
  }
  /** Nothing took the place: the control of the same part that had the focus before, else the nearest one. */
  function afterwards(place: Place, removal: Removal): HTMLElement | null {
    for (const earlier of places.slice(places.indexOf(place) + 1)) {
      if (!isOpen(earlier) || removal.root.contains(earlier.element)) continue;
      if (!isInSamePart(removal.parent, earlier.removal?.parent ?? earlier.element)) continue;
      const successor = successorOf(earlier);
      if (successor) return successor;
    }
    return nearestTo(removal);
  }
  /** The element itself; while it is disabled, a heading until it is enabled; else the element that took its place. */
  function successorOf(place: Place): HTMLElement | null {
    const { element, removal } = place;
    if (isFocusable(element)) return element;
    if (!element.isConnected) return removal && counterpartOf(element, removal);
    const standIn = partHeading(element) ?? pageHeading();
    if (standIn) waiting = { place, standIn };
    return standIn;
  }
  function give(element: HTMLElement | null): void {
    // A page that is still loading has no heading yet.
    if (element?.tagName === 'MAIN') focusPage();
    else if (element) focusElement(element, { preventScroll: byPointer });
  }

  const observer = new MutationObserver(onChange);
  observer.observe(document.body, {
    subtree: true,
    childList: true,
    attributeFilter: ['disabled', 'hidden', 'inert', 'aria-hidden', 'open'],
  });
  const stop = new AbortController();
  const { signal } = stop;
  document.addEventListener('focusin', onFocus, { signal });
  document.addEventListener('focusout', onBlur, { signal });
  document.addEventListener('pointerdown', onPointerDown, { capture: true, signal });
  document.addEventListener('keydown', onKeyDown, { capture: true, signal });
  return () => {
    observer.disconnect();
    stop.abort();
  };
}

/** Whether the dialog or menu of a place is still there. */
const isOpen = ({ overlay }: Place) => overlay?.isConnected ?? true;

/** The body has the focus, or a control that was disabled and is about to lose it. */
function isLost(): boolean {
  const active = document.activeElement;
  return active === null || active === document.body || active.matches(':disabled');
}

/** Notes where the element was removed, or where the place itself went afterwards. */
function trace(place: Place, records: readonly MutationRecord[]): void {
  const { element, removal } = place;
  if (element.isConnected) place.removal = null;
  else if (!removal) place.removal = removalOf(element, records);
  else if (!removal.parent.isConnected) place.removal = removalOf(removal.parent, records) ?? removal;
}
