import { useEffect } from 'react';
import { isConnected } from '../features/connection/connection-slice.ts';
import { useDashboard } from './use-dashboard.ts';

/** Asks when the component appears, when it is about another thing, and when the daemon answers again. */
export function useWhenConnected(ask: (of: string) => Promise<void>, of: string): void {
  const connected = useDashboard(isConnected);
  useEffect(() => {
    if (connected) void ask(of);
  }, [ask, of, connected]);
}
