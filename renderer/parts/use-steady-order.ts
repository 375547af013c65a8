import { useEffect, useLayoutEffect, useRef, useState } from 'react';

/**
 * The order in which to show a list: sorted, but no item moves while the pointer or the focus is in the list; new items then
 * come last. The list is sorted again when both have left.
 * @param sorted the keys of the items in their right order
 */
export function useSteadyOrder<E extends HTMLElement>(sorted: readonly string[]) {
  const list = useRef<E | null>(null);
  const [order, setOrder] = useState(sorted);
  const wanted = sorted.join('\n');
  const latest = useRef(sorted);
  useLayoutEffect(() => {
    const keys = wanted === '' ? [] : wanted.split('\n');
    latest.current = keys;
    setOrder((shown) => {
      if (!isInUse(list.current)) return keys;
      const kept = shown.filter((key) => keys.includes(key));
      return [...kept, ...keys.filter((key) => !kept.includes(key))];
    });
  }, [wanted]);
  useEffect(() => {
    /** After the event, when the focus is where it goes. */
    const left = () => setTimeout(() => !isInUse(list.current) && setOrder(latest.current));
    const stop = new AbortController();
    for (const type of ['pointerout', 'focusout']) document.addEventListener(type, left, { signal: stop.signal });
    return () => stop.abort();
  }, []);
  return { list, order };
}

const isInUse = (list: HTMLElement | null): boolean => list?.matches(':hover, :focus-within') ?? false;

export function inOrder<T>(items: readonly T[], order: readonly string[], keyOf: (item: T) => string): readonly T[] {
  const byKey = new Map(items.map((item) => [keyOf(item), item]));
  const known = order.flatMap((key) => byKey.get(key) ?? []);
  return known.length === items.length ? known : [...known, ...items.filter((item) => !order.includes(keyOf(item)))];
}
