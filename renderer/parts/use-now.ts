import { useEffect, useState } from 'react';
import { staleSince } from '../slices/daemon/connection-slice.ts';
import { useDashboard } from '../store/use-dashboard.ts';

/** The time in ms since 1970; renders again every `everyMs`. */
export function useNow(everyMs: number): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now;
}

/** The same for what the daemon does: while it does not answer, the time of its last message. */
export function useKnownNow(everyMs: number): number {
  const now = useNow(everyMs);
  return useDashboard(staleSince) ?? now;
}
