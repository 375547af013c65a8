import { useEffect, useState } from 'react';
import { staleSince } from '../slices/daemon/connection-slice.ts';
import { useDashboard } from '../store/use-dashboard.ts';
import { clockTime, exactTime, timeAgo } from './format.ts';

/** "2 min ago", exact on hover. */
export function TimeAgo({ at }: { readonly at: string }) {
  const now = useNow(10_000);
  return (
    <time dateTime={at} title={exactTime(at)}>
      {timeAgo(now - Date.parse(at))}
    </time>
  );
}

interface SecondsLeftProps {
  readonly until: string;
  readonly children: (seconds: number) => string;
}

/** Counts down to a moment; renders nothing after it. Stands still while the daemon does not answer. */
export function SecondsLeft({ until, children }: SecondsLeftProps) {
  const seconds = Math.ceil((Date.parse(until) - useKnownNow(500)) / 1000);
  if (seconds <= 0) return null;
  return (
    <time dateTime={until} title={exactTime(until)}>
      {children(seconds)}
    </time>
  );
}

/** Counts up from a moment. Stands still while the daemon does not answer. */
export function Elapsed({ since }: { readonly since: string }) {
  const now = useKnownNow(1_000);
  return (
    <time className="mono" dateTime={since} title={`since ${exactTime(since)}`}>
      {clockTime(now - Date.parse(since))}
    </time>
  );
}

/** The time of this browser in ms since 1970; renders again every `everyMs`. */
export function useBrowserNow(everyMs: number): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now;
}

/** The same by the daemon's clock. */
export function useNow(everyMs: number): number {
  return useBrowserNow(everyMs) + useDashboard((s) => s.clockOffsetMs);
}

/** The same for what the daemon does: while it does not answer, the time of its last message. */
export function useKnownNow(everyMs: number): number {
  const now = useNow(everyMs);
  return useDashboard(staleSince) ?? now;
}
