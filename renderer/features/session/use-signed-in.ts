import { useEffect, useRef } from 'react';
import type { Session } from '../../../daemon/contract/session.ts';
import { askSession, sessionKey } from '../../slices/daemon/session-slice.ts';
import { type Asked, useAsked } from '../../store/use-asked.ts';

/** Without an answer the page has no buttons: it asks again after these times. */
const AGAIN_AFTER_MS = [1_000, 2_000, 4_000, 8_000, 16_000];

/** Asks the daemon whether this browser may deploy. */
export function useSession(): Asked<Session> {
  const asked = useAsked(sessionKey, askSession);
  const failures = useRef(0);
  const isUnknown = asked.error !== null && asked.value === null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: `again` changes with each render, and does the same
  useEffect(() => {
    const waitMs = AGAIN_AFTER_MS[failures.current];
    if (!isUnknown || waitMs === undefined) return;
    failures.current += 1;
    const timer = setTimeout(asked.again, waitMs);
    return () => clearTimeout(timer);
  }, [isUnknown]);
  return asked;
}

/** Whether this browser is signed in; null until the daemon has answered. */
export const useSignedIn = (): boolean | null => useSession().value?.signedIn ?? null;
