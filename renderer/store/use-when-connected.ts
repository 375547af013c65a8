import { useEffect } from 'react';
import { isConnected } from '../slices/daemon/connection-slice.ts';
import { useDashboard } from './use-dashboard.ts';

/** Calls `load` when the component mounts, when `key` or `account` changes, and after each reconnect. */
export function useWhenConnected(
  load: (key: string) => Promise<void>,
  key: string,
  account: string | null = null,
): void {
  const connected = useDashboard(isConnected);
  const snapshots = useDashboard((s) => s.snapshots);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a change of `account` or `snapshots` loads again
  useEffect(() => {
    if (connected) void load(key);
  }, [load, key, connected, snapshots, account]);
}
