import { controlsIn, headingIn, preferredIn } from './controls.ts';

/** Parts of a page that belong together: within one, the focus goes to the nearest control. */
const PARTS = 'li, tr, article, form, section, [role="region"], [role="tabpanel"], [role="dialog"], footer, main';
/** Elements that have others of their kind beside them. */
const ROWS = 'li, tr, tbody, article, [role="row"], [role="listitem"]';

/**
 * Finds the element that took the place of a removed one: of the content that appeared, the field that asks for the
 * focus, or its heading; else the control in the same place.
 * @param focused the element that had the focus, inside the removed one
 */
export function counterpartOf(focused: Element, removal: Removal): HTMLElement | null {
  const { root, added } = removal;
  const preferred = added.map(preferredIn).find((each) => each !== null);
  if (preferred) return preferred;
  if (isHeading(focused)) return added.map(headingIn).find((each) => each !== null) ?? null;
  // A form that was sent has no counterpart. A heading further on is of something that came with it.
  if (isForm(root)) return added[0] ? headingIn(added[0]) : null;
  return tabOf(root, added) ?? sameControlIn(focused, removal);
}

/** The nearest control of the same part of the page, else the heading of the part. After a form, the heading. */
export function nearestTo(removal: Removal): HTMLElement | null {
  return (isForm(removal.root) ? null : nearestControl(removal)) ?? partHeading(removal.parent);
}

/** Whether the smallest part of the page around a place holds the element too. */
export function isInSamePart(place: Element, element: Element): boolean {
  return place.closest(PARTS)?.contains(element) ?? false;
}

const isForm = (element: Element) => element.matches('form') || element.querySelector('form') !== null;
const isHeading = (element: Element) => /^H[1-6]$/.test(element.tagName);

/** The tab of a panel that replaced another. */
function tabOf(root: Element, added: readonly Element[]): HTMLElement | null {
  if (!root.matches('[role="tabpanel"]')) return null;
  const panel = added.find((each) => each.matches('[role="tabpanel"]'));
  return document.getElementById(panel?.getAttribute('aria-labelledby') ?? '');
}

/** The control in the element that took the place, or in the next or previous row of a list. */
function sameControlIn(focused: Element, { root, parent, previous, added }: Removal): HTMLElement | null {
  const next = nextElement(parent, previous);
  const before = previous instanceof Element ? previous : (previous?.previousSibling ?? null);
  const rows = [next, before].filter((each): each is Element => each instanceof Element && each.matches(root.tagName));
  const appeared = next && added.includes(next) ? [next, ...added] : added;
  const candidates = root.matches(ROWS) ? [...appeared, ...rows] : appeared;
  for (const candidate of candidates) {
    const found = sameControl(focused, root, candidate);
    if (found) return found;
  }
  // It is back: a form, open for a while in its place, was closed.
  return (
    controlsIn(parent).find((each) => each.tagName === focused.tagName && nameOf(each) === nameOf(focused)) ?? null
  );
}

const nameOf = (element: Element): string => element.getAttribute('aria-label') ?? element.textContent ?? '';

function nextElement(parent: Element, previous: Node | null): Element | null {
  let node = previous === null ? parent.firstChild : previous.nextSibling;
  while (node && !(node instanceof Element)) node = node.nextSibling;
  return node;
}

/** The control of a replacement that corresponds to one of the removed element: of its kind, at its place. */
function sameControl(focused: Element, root: Element, replacement: Element): HTMLElement | null {
  const controls = controlsIn(replacement);
  const ofKind = controls.filter(({ tagName }) => tagName === focused.tagName);
  const same = ofKind.length > 0 ? ofKind : controls;
  const place = [...root.querySelectorAll(focused.tagName)].indexOf(focused);
  return same[Math.max(0, Math.min(place, same.length - 1))] ?? null;
}

/**
 * The first control after the place in its parent, else the parent's first; else the same for the smallest part of the
 * page, where the last one before the place is nearer.
 */
function nearestControl({ parent, previous }: Removal): HTMLElement | null {
  const part = parent.closest<HTMLElement>(PARTS);
  const siblings = controlsIn(parent);
  const controls = part ? controlsIn(part) : [];
  const isBehind = (each: Element) => {
    const place = previous ?? parent;
    const follows = Boolean(place.compareDocumentPosition(each) & Node.DOCUMENT_POSITION_FOLLOWING);
    return follows && !(previous?.contains(each) ?? false);
  };
  return siblings.find(isBehind) ?? siblings[0] ?? controls.find(isBehind) ?? controls.at(-1) ?? null;
}

/** The heading of the smallest part around that has one. */
export function partHeading(element: Element): HTMLElement | null {
  for (let part = element.closest(PARTS); part; part = part.parentElement?.closest(PARTS) ?? null) {
    const heading = headingIn(part) ?? labelOf(part);
    if (heading) return heading;
  }
  return null;
}

function labelOf(part: Element): HTMLElement | null {
  const label = document.getElementById(part.getAttribute('aria-labelledby') ?? '');
  // The panel may be of a tab that is no longer chosen: Tab does not reach that one.
  if (label?.matches('[role="tab"][aria-selected="false"]')) {
    return label.closest('[role="tablist"]')?.querySelector<HTMLElement>('[aria-selected="true"]') ?? null;
  }
  return label?.matches('[role="tab"], h1, h2, h3, h4') ? label : null;
}

/** The place in the document from which a focused element was removed. */
export interface Removal {
  /** The removed element: the focused one, or one around it. */
  readonly root: Element;
  readonly parent: Element;
  /** The node before the place; null at the start of the parent. */
  readonly previous: Node | null;
  /** The elements that appeared in the parent in the same change: added, or no longer hidden. */
  readonly added: readonly Element[];
}

/** Finds in a batch of changes the one that removed the element; null if there is none. */
export function removalOf(element: Element, records: readonly MutationRecord[]): Removal | null {
  for (const record of records) {
    for (const removed of record.removedNodes) {
      if (!(removed instanceof Element && removed.contains(element) && record.target instanceof Element)) continue;
      const parent = record.target;
      // An element around the parent may have been removed later in the batch.
      if (!parent.isConnected) return removalOf(parent, records);
      return { root: removed, parent, previous: previousOf(record), added: addedTo(parent, records) };
    }
  }
  return null;
}

function previousOf({ target, previousSibling }: MutationRecord): Node | null {
  return previousSibling?.parentNode === target ? previousSibling : null;
}

function addedTo(parent: Element, records: readonly MutationRecord[]): Element[] {
  return records
    .flatMap(({ attributeName, target, addedNodes }) => (attributeName === 'hidden' ? [target] : [...addedNodes]))
    .filter((node): node is Element => node instanceof Element && node.parentNode === parent)
    .filter((element) => !element.hasAttribute('hidden'));
}
