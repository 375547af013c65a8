import { useEffect, useRef } from 'react';
import { type Asked, type AskedKey, useAsked } from './use-asked.ts';
import { useDashboard } from './use-dashboard.ts';

/** A download changes an endpoint several times a second. */
const AGAIN_MS = 400;

/** `useAsked` for what depends on endpoints: asks again soon after an endpoint has changed. The answer before stays until then. */
export function useAskedOfEndpoints<T>(key: AskedKey, ask: Parameters<typeof useAsked<T>>[1]): Asked<T> {
  const asked = useAsked<T>(key, ask, true);
  const revision = useDashboard((s) => s.endpointsStatus?.revision ?? 0);
  const asking = useRef({
    again: asked.again,
    revision,
    timer: undefined as ReturnType<typeof setTimeout> | undefined,
  });
  useEffect(() => {
    const now = asking.current;
    now.again = asked.again;
    if (now.revision === revision) return;
    now.revision = revision;
    // Not put off by the next change: a download has one all the time.
    now.timer ??= setTimeout(() => {
      now.timer = undefined;
      now.again();
    }, AGAIN_MS);
  });
  useEffect(() => {
    const now = asking.current;
    return () => {
      clearTimeout(now.timer);
      now.timer = undefined;
    };
  }, []);
  return asked;
}
