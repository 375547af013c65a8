import { useEffect } from 'react';
import type { AppRun } from '../../../daemon/contract/apps/runs.ts';
import { isConnected } from '../../slices/daemon/connection-slice.ts';
import { useDashboard } from '../../store/use-dashboard.ts';

/** Tells the daemon that the crash was seen, once the page is visible. @param run the shown run; null: none is shown */
export function useSeen(run: AppRun | null): void {
  const runId = run?.runId ?? null;
  const unseen = useDashboard((s) => s.crashes.some((crash) => crash.run.runId === runId && !crash.seen));
  const connected = useDashboard(isConnected);
  const markCrashSeen = useDashboard((s) => s.markCrashSeen);
  const due = unseen && connected;
  useEffect(() => {
    if (!due || runId === null) return;
    const markIfVisible = () => {
      if (document.visibilityState === 'visible') void markCrashSeen(runId);
    };
    markIfVisible();
    document.addEventListener('visibilitychange', markIfVisible);
    return () => document.removeEventListener('visibilitychange', markIfVisible);
  }, [due, runId, markCrashSeen]);
}
