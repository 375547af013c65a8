import { useContext, useEffect, useState } from 'react';
import { waitingCommands } from '../../slices/base/commands.ts';
import { isConnected } from '../../slices/daemon/connection-slice.ts';
import type { Dashboard } from '../../store/dashboard-store.ts';
import { DashboardContext, useDashboard } from '../../store/use-dashboard.ts';
import { recordReload, wasReloadedFor } from './reload-record.ts';

const EVERY_MS = 500;

/**
 * Reloads the window once the daemon answers, because a page could not be loaded: at most once for each start of the
 * daemon. Waits for the replies to commands, and for the user to close a dialog, in which something may be typed.
 * @param page its name
 * @param reload reloads the window
 * @returns whether the window will be reloaded
 */
export function useReloadOnceBack(page: string, reload: () => void): boolean {
  const store = useContext(DashboardContext);
  const connected = useDashboard(isConnected);
  const instanceId = useDashboard((s) => s.daemon?.instanceId);
  const [gaveUpFor, setGaveUpFor] = useState<string>();

  useEffect(() => {
    if (!store || !connected || instanceId === undefined) return;
    if (wasReloadedFor(page, instanceId)) return setGaveUpFor(instanceId);
    const end = new AbortController();
    const attempt = async () => {
      const possible = !isBusy(store.getState()) && (await answers(store.getState(), end.signal));
      if (end.signal.aborted) return;
      if (!possible) setTimeout(() => void attempt(), EVERY_MS);
      else if (recordReload(page, instanceId)) reload();
      else setGaveUpFor(instanceId);
    };
    void attempt();
    return () => end.abort();
  }, [store, connected, instanceId, page, reload]);

  return gaveUpFor !== instanceId;
}

function isBusy(dashboard: Dashboard): boolean {
  return waitingCommands(dashboard).length > 0 || document.querySelector('[role="dialog"]') !== null;
}

/** The stream may not have noticed yet that the daemon has gone. Without the daemon, a reload shows an error of the browser. */
async function answers({ call }: Dashboard, signal: AbortSignal): Promise<boolean> {
  try {
    await call('getDaemonStatus', { signal });
    return true;
  } catch {
    return false;
  }
}
