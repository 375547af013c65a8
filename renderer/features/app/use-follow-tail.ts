import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';

const NEAR_END_PX = 24;
/** A scroll this soon after the user touched the box is the user's. */
const USER_SCROLL_MS = 500;
const userInputTypes = ['wheel', 'touchmove', 'keydown', 'pointerdown', 'pointermove'] as const;

export interface FollowTail {
  readonly box: RefObject<HTMLDivElement | null>;
  readonly following: boolean;
  readonly onScroll: () => void;
  readonly jumpToNewest: () => void;
}

/** Keeps a scrolling box at its end while `content` grows or its layout changes, unless the user has scrolled up. */
export function useFollowTail(content: unknown): FollowTail {
  const box = useRef<HTMLDivElement>(null);
  const touchedAt = useRef(Number.NEGATIVE_INFINITY);
  const [following, setFollowing] = useState(true);
  const scrollToEnd = useCallback(() => {
    if (box.current) box.current.scrollTop = box.current.scrollHeight;
  }, []);

  // biome-ignore lint/correctness/useExhaustiveDependencies: `content` is the reason to look again
  useLayoutEffect(() => {
    if (following) scrollToEnd();
  }, [content, following, scrollToEnd]);

  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const touched = (event: Event) => {
      // A mouse that only passes over the box scrolls nothing.
      if (event instanceof PointerEvent && event.buttons === 0) return;
      touchedAt.current = performance.now();
    };
    for (const type of userInputTypes) element.addEventListener(type, touched, { passive: true });
    return () => {
      for (const type of userInputTypes) element.removeEventListener(type, touched);
    };
  });

  function onScroll(): void {
    const element = box.current;
    if (!element) return;
    const atEnd = element.scrollHeight - element.scrollTop - element.clientHeight < NEAR_END_PX;
    const byUser = performance.now() - touchedAt.current < USER_SCROLL_MS;
    if (atEnd) setFollowing(true);
    else if (byUser) setFollowing(false);
    else if (following) scrollToEnd(); // lines out of sight were measured, or the window's size changed
  }
  return { box, following, onScroll, jumpToNewest: () => setFollowing(true) };
}
