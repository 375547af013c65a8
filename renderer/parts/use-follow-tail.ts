import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';

const NEAR_END_PX = 24;
/** A scroll this soon after user input counts as the user's. */
const USER_SCROLL_MS = 500;
const userInputTypes = ['wheel', 'touchmove', 'keydown', 'pointerdown', 'pointermove'] as const;

/** Keeps a box scrolled to its end while `content` grows or the layout changes, unless the user scrolled up. */
export function useFollowTail<Box extends HTMLElement = HTMLDivElement>(content: unknown) {
  const box = useRef<Box>(null);
  const touchedAt = useRef(Number.NEGATIVE_INFINITY);
  const [following, setFollowing] = useState(true);
  const scrollToEnd = useCallback(() => {
    if (box.current) box.current.scrollTop = box.current.scrollHeight;
  }, []);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a change of `content` triggers the scroll
  useLayoutEffect(() => {
    if (following) scrollToEnd();
  }, [content, following, scrollToEnd]);

  // A box that becomes smaller or narrower does not scroll by itself.
  useEffect(() => {
    if (!box.current || !following) return;
    const observer = new ResizeObserver(scrollToEnd);
    observer.observe(box.current);
    return () => observer.disconnect();
  }, [following, scrollToEnd]);

  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const touched = (event: Event) => {
      // A mouse that only moves over the box does not scroll.
      if (event instanceof PointerEvent && event.buttons === 0) return;
      touchedAt.current = performance.now();
    };
    const stop = new AbortController();
    for (const type of userInputTypes) element.addEventListener(type, touched, { passive: true, signal: stop.signal });
    return () => stop.abort();
  });

  function onScroll(): void {
    const element = box.current;
    if (!element) return;
    const atEnd = element.scrollHeight - element.scrollTop - element.clientHeight < NEAR_END_PX;
    const byUser = performance.now() - touchedAt.current < USER_SCROLL_MS;
    if (atEnd) setFollowing(true);
    else if (byUser) setFollowing(false);
    else if (following) scrollToEnd(); // the layout changed: hidden lines were measured, or the window was resized
  }
  return { box, following, onScroll, jumpToNewest: () => setFollowing(true) };
}
