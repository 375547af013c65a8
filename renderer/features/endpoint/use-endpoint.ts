import { useEffect, useRef } from 'react';
import type { EndpointDetail, EndpointRef } from '../../../daemon/contract/endpoints/endpoint.ts';
import type { EndpointHistory } from '../../../daemon/contract/endpoints/endpoint-history.ts';
import { type Asked, useAsked } from '../../store/use-asked.ts';
import { useDashboard } from '../../store/use-dashboard.ts';

/** A download changes an endpoint several times a second. */
const ASK_AGAIN_MS = 400;
/** The history has a new sample every half a minute; the last one grows meanwhile. */
const HISTORY_MS = 10_000;
/**
 * The memory, the processor time and the requests of replicas are measured when they are asked for, and only while the page
 * of their endpoint is seen. Events have none of them: the stream does not know which page its reader shows, so the daemon
 * would measure every replica all the time, and for each container ask its engine.
 */
const FIGURES_MS = 5_000;

/** One endpoint, asked for again after each change of an endpoint, and for its figures while the page is seen. */
export function useEndpoint({ namespace, name }: EndpointRef): Asked<EndpointDetail> {
  const asked = useAsked(['endpoint', namespace, name], (call, signal) =>
    call('getOwnEndpoint', { params: { namespace, name }, signal }),
  );
  const revision = useDashboard((s) => s.endpointsStatus?.revision ?? 0);
  useAgainAfter(revision, asked);
  useAgainEvery(FIGURES_MS, asked);
  return asked;
}

/** Asks again after a change: at once, then at most every 400 ms. The first answer has what is known so far. */
function useAgainAfter(revision: number, { again }: Pick<Asked<unknown>, 'again'>): void {
  const state = useRef({ asked: revision, atMs: Number.NEGATIVE_INFINITY });
  // biome-ignore lint/correctness/useExhaustiveDependencies: a change of the revision asks again
  useEffect(() => {
    if (state.current.asked === revision) return;
    const ask = () => {
      state.current = { asked: revision, atMs: performance.now() };
      again();
    };
    const waitMs = state.current.atMs + ASK_AGAIN_MS - performance.now();
    if (waitMs <= 0) return ask();
    const timer = setTimeout(ask, waitMs);
    return () => clearTimeout(timer);
  }, [revision]);
}

/** The use of an endpoint over the last hour, asked for again while the page is seen. */
export function useHistory({ namespace, name }: EndpointRef): Asked<EndpointHistory> {
  const asked = useAsked(['endpoint-history', namespace, name], (call, signal) =>
    call('getEndpointHistory', { params: { namespace, name }, signal }),
  );
  useAgainEvery(HISTORY_MS, asked);
  return asked;
}

/** Asks again while the page is seen. */
function useAgainEvery(ms: number, { again }: Pick<Asked<unknown>, 'again'>): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: `again` changes with each render, and does the same
  useEffect(() => {
    const timer = setInterval(() => document.visibilityState === 'visible' && again(), ms);
    return () => clearInterval(timer);
  }, [ms]);
}
