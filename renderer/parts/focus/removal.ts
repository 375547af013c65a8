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
