import { useEffect } from 'react';
import { isConnected } from '../slices/daemon/connection-slice.ts';
import { useDashboard } from './use-dashboard.ts';

/**
 * Asks when the component appears, when it is about another thing, and when the daemon answers again; also when
 * somebody else asks, where the answer depends on `who`.
 */
export function useWhenConnected(
  load: (key: string) => Promise<void>,
  key: string,
  account: string | null = null,
): void {
  const connected = useDashboard(isConnected);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `who` is the reason to ask again
  useEffect(() => {
    if (connected) void load(key);
  }, [load, key, connected, account]);
}
