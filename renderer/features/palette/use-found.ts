import { useEffect, useState } from 'react';
import { isConnected } from '../../slices/daemon/connection-slice.ts';
import type { Found } from '../../slices/daemon/find-slice.ts';
import { useDashboard } from '../../store/use-dashboard.ts';

const PAUSE_MS = 150;

/** Searches the daemon after a pause in typing. The results of an earlier text stay until the new ones are there. */
export function useFound(typed: string): { readonly found: Found | null; readonly searching: boolean } {
  const find = useDashboard((s) => s.find);
  const connected = useDashboard(isConnected);
  const [found, setFound] = useState<Found | null>(null);
  const text = typed.trim();
  const wanted = connected && text !== '';
  useEffect(() => {
    if (!wanted) return;
    const stop = new AbortController();
    const pause = setTimeout(async () => {
      const answer = await find(text, stop.signal);
      if (!stop.signal.aborted) setFound(answer);
    }, PAUSE_MS);
    return () => {
      clearTimeout(pause);
      stop.abort();
    };
  }, [find, text, wanted]);
  return { found: wanted ? found : null, searching: wanted && found?.text !== text };
}
