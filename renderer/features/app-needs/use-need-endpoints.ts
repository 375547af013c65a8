import { useEffect, useRef } from 'react';
import type { OwnEndpoint } from '../../../daemon/contract/endpoints/endpoint.ts';
import { type Asked, useAsked } from '../../store/use-asked.ts';
import { useDashboard } from '../../store/use-dashboard.ts';

const PAGE_ENDPOINTS = 100;
/** More cannot be chosen from in a list. */
const MAX_PAGES = 5;
/** A download changes an endpoint several times a second. */
const ASK_AGAIN_MS = 500;

/** The endpoints to choose from, newest first; asked for again when one changes. */
export function useNeedEndpoints(): Asked<readonly OwnEndpoint[]> {
  const asked = useAsked<readonly OwnEndpoint[]>(['need-endpoints'], async (call, signal) => {
    const found: OwnEndpoint[] = [];
    for (let page = 1; page <= MAX_PAGES; page += 1) {
      const query = { name: undefined, state: undefined, page, limit: PAGE_ENDPOINTS };
      const listing = await call('listOwnEndpoints', { query, signal });
      found.push(...listing.endpoints);
      if (page >= listing.pages) break;
    }
    return found;
  });
  const revision = useDashboard((s) => s.endpointsStatus?.revision ?? 0);
  useAgain(revision, asked.again);
  return asked;
}

/** Asks again after a change of `revision`, at most twice a second. */
function useAgain(revision: number, again: () => void): void {
  const asked = useRef({ revision, atMs: Number.NEGATIVE_INFINITY });
  // biome-ignore lint/correctness/useExhaustiveDependencies: `again` changes with each render, and does the same
  useEffect(() => {
    if (asked.current.revision === revision) return;
    const waitMs = asked.current.atMs + ASK_AGAIN_MS - performance.now();
    const ask = () => {
      asked.current = { revision, atMs: performance.now() };
      again();
    };
    const timer = setTimeout(ask, Math.max(0, waitMs));
    return () => clearTimeout(timer);
  }, [revision]);
}
