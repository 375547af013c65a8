import { keepPreviousData, QueryClient, useQuery } from '@tanstack/react-query';
import { useContext, useEffect, useRef } from 'react';
import type { DaemonClient } from '../../daemon/client/calls.ts';
import type { DaemonError } from '../../daemon/client/daemon-error.ts';
import { asDaemonError } from '../api/daemon-error.ts';
import { isConnected } from '../slices/daemon/connection-slice.ts';
import type { DashboardStore } from './dashboard-store.ts';
import { DashboardContext, useDashboard } from './use-dashboard.ts';

/** Names a question: the same key, the same answer. */
type AskedKey = readonly (string | number | boolean | object | null)[];

/** Asks the daemon. `signal` is aborted when no component needs the answer any more. */
type Ask<T> = (call: DaemonClient['call'], signal: AbortSignal) => Promise<T>;

export interface Asked<T> {
  /** null until the first answer. */
  readonly value: T | null;
  /** A newer answer, or the first one for this key, is on its way; `value` may be the one for the key before. */
  readonly loading: boolean;
  /** Why the last request failed; null if it did not. */
  readonly error: DaemonError | null;
  readonly again: () => void;
}

/** An answer is kept this long after its page was left. */
const KEPT_MS = 10 * 60_000;

/**
 * Asks the daemon for what its events do not carry: when the component mounts, when `key` changes, and after each reconnect.
 * The last answers are shown at once when a page is opened again.
 * @param keepPrevious shows the answer for the key before until there is one for this key
 */
export function useAsked<T>(key: AskedKey, ask: Ask<T>, keepPrevious = false): Asked<T> {
  const enabled = useDashboard(isConnected);
  const call = useDashboard((s) => s.call);
  const { data, error, isFetching, refetch } = useQuery<T, DaemonError>(
    {
      queryKey: key,
      queryFn: ({ signal }) => ask(call, signal).catch((error: unknown) => Promise.reject(asDaemonError(error))),
      enabled,
      ...(keepPrevious && { placeholderData: keepPreviousData }),
    },
    useAnswers(),
  );
  return { value: data ?? null, loading: isFetching, error: isFetching ? null : error, again: () => void refetch() };
}

/** Asks again for every shown answer whose key begins like that; those that are not shown are asked for when they are. */
export function useAskAgain(): (...key: AskedKey) => void {
  const answers = useAnswers();
  return (...queryKey) => void answers.invalidateQueries({ queryKey });
}

/** The first kept answer, of those whose key begins with `kind`, in which `find` finds something. */
export function useKnown<T, Found>(kind: string, find: (answer: T) => Found | undefined): Found | undefined {
  const answers = useAnswers();
  for (const [, answer] of answers.getQueriesData<T>({ queryKey: [kind] })) {
    const found = answer && find(answer);
    if (found !== undefined) return found as Found;
  }
  return undefined;
}

/** The answers of each dashboard. */
const answersOf = new WeakMap<DashboardStore, QueryClient>();

function useAnswers(): QueryClient {
  const store = useContext(DashboardContext);
  if (!store) throw new Error('useAsked needs a DashboardContext above it');
  const known = answersOf.get(store);
  if (known) return known;
  // The daemon is on this machine: a network that is lost or slow changes nothing, and a failure is shown, not repeated.
  const queries = { networkMode: 'always', retry: false, refetchOnWindowFocus: false, gcTime: KEPT_MS } as const;
  const created = new QueryClient({ defaultOptions: { queries } });
  answersOf.set(store, created);
  // After a snapshot the daemon may be another one, or events were missed. A reconnect may be too short to be seen.
  store.subscribe((now, before) => {
    if (now.snapshots !== before.snapshots) void created.invalidateQueries();
  });
  return created;
}

/** A download changes an endpoint several times a second. */
const AGAIN_MS = 400;

/**
 * `useAsked` for what depends on endpoints: asks again after a change of an endpoint, at once, then at most every 400 ms. The
 * answer before stays until then.
 */
export function useAskedOfEndpoints<T>(key: AskedKey, ask: Parameters<typeof useAsked<T>>[1]): Asked<T> {
  const asked = useAsked<T>(key, ask, true);
  const revision = useDashboard((s) => s.endpointsStatus?.revision ?? 0);
  const latest = useRef({ revision, atMs: Number.NEGATIVE_INFINITY });
  // biome-ignore lint/correctness/useExhaustiveDependencies: `again` changes with each render, and does the same
  useEffect(() => {
    if (latest.current.revision === revision) return;
    const again = () => {
      latest.current = { revision, atMs: performance.now() };
      asked.again();
    };
    const waitMs = latest.current.atMs + AGAIN_MS - performance.now();
    if (waitMs <= 0) return again();
    const timer = setTimeout(again, waitMs);
    return () => clearTimeout(timer);
  }, [revision]);
  return asked;
}
