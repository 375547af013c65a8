import { useEffect, useRef, useState } from 'react';
import type { DaemonError } from '../../daemon/client/daemon-error.ts';
import { type Answer, type Ask, type AskedKey, answerId, startsLike } from '../slices/base/answers.ts';
import { isConnected } from '../slices/daemon/connection-slice.ts';
import { useDashboard, useDashboardStore } from './use-dashboard.ts';

export interface Asked<T> {
  /** null until the first answer. */
  readonly value: T | null;
  /** A newer answer, or the first one for this key, is on its way; `value` may be the one for the key before. */
  readonly loading: boolean;
  /** Why the last request failed; null if it did not. */
  readonly error: DaemonError | null;
  readonly again: () => void;
}

/**
 * Asks the daemon for what its events do not carry: when the component mounts, when `key` changes, and after each reconnect.
 * The last answers are shown at once when a page is opened again.
 * @param keepPrevious shows the answer for the key before until there is one for this key
 */
export function useAsked<T>(key: AskedKey, ask: Ask<T>, keepPrevious = false): Asked<T> {
  const id = answerId(key);
  const store = useDashboardStore();
  const connected = useDashboard(isConnected);
  // After a snapshot the daemon may be another one, or events were missed. A reconnect may be too short to be seen.
  const snapshots = useDashboard((s) => s.snapshots);
  const answer = useDashboard((s) => s.answers[id]) as Answer<T> | undefined;
  useEffect(() => store.getState().showAnswer(id), [store, id]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key names the question; a snapshot asks again
  useEffect(() => {
    if (connected) void store.getState().ask(id, ask);
  }, [store, id, connected, snapshots]);

  const { value: newest = null, loading = connected, error = null } = answer ?? {};
  const last = useRef<T | null>(null);
  useEffect(() => {
    if (newest !== null) last.current = newest;
  }, [newest]);
  return {
    value: newest ?? (keepPrevious && error === null ? last.current : null),
    loading,
    error: loading ? null : error,
    again: () => void store.getState().askAgain((each) => each === id),
  };
}

/** Asks again for every shown answer whose key begins like that; those that are not shown are asked for when they are. */
export function useAskAgain(): (...key: AskedKey) => Promise<unknown> {
  const store = useDashboardStore();
  return (...key) => store.getState().askAgain(startsLike(key));
}

/** The first kept answer, of those whose key begins with `kind`, in which `find` finds something. */
export function useKnown<T, Found>(kind: string, find: (answer: T) => Found | undefined): Found | undefined {
  const { answers } = useDashboardStore().getState();
  const isOfKind = startsLike([kind]);
  for (const [id, { value }] of Object.entries(answers)) {
    const found = isOfKind(id) && value !== null ? find(value as T) : undefined;
    if (found) return found;
  }
  return undefined;
}

/** A download changes an endpoint several times a second. */
const AGAIN_MS = 400;

/** `useAsked`, again after each change of a value that events report: at once, then at most every 400 ms, and not while an answer is awaited. */
export function useAskedAfter<T>(
  change: string | number | null,
  key: AskedKey,
  ask: Ask<T>,
  keepPrevious = false,
): Asked<T> {
  const asked = useAsked<T>(key, ask, keepPrevious);
  const latest = useRef(change);
  const [paused, setPaused] = useState(false);
  useEffect(() => {
    if (!paused) return;
    const timer = setTimeout(() => setPaused(false), AGAIN_MS);
    return () => clearTimeout(timer);
  }, [paused]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `again` changes with each render, and does the same
  useEffect(() => {
    if (paused || asked.loading || latest.current === change) return;
    latest.current = change;
    setPaused(true);
    asked.again();
  }, [paused, asked.loading, change]);
  return asked;
}

/** `useAskedAfter` a change of an endpoint. The answer before stays until there is one for this key. */
export function useAskedOfEndpoints<T>(key: AskedKey, ask: Ask<T>): Asked<T> {
  const revision = useDashboard((s) => s.endpointsStatus?.revision ?? 0);
  return useAskedAfter(revision, key, ask, true);
}

/** Asks again every `ms` while the page is seen, and not while an answer is awaited: one that takes long would never come. */
export function useAgainEvery(ms: number, asked: Pick<Asked<unknown>, 'loading' | 'again'>): void {
  const latest = useRef(asked);
  useEffect(() => {
    latest.current = asked;
  }, [asked]);
  useEffect(() => {
    const timer = setInterval(() => {
      const { loading, again } = latest.current;
      if (document.visibilityState === 'visible' && !loading) again();
    }, ms);
    return () => clearInterval(timer);
  }, [ms]);
}
