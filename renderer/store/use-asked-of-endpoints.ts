import { useEffect, useRef } from 'react';
import { type Asked, type AskedKey, useAsked } from './use-asked.ts';
import { useDashboard } from './use-dashboard.ts';

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
