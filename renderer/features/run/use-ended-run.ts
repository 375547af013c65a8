import { useEffect, useState } from 'react';
import type { AppRun } from '../../../daemon/contract/apps/runs.ts';
import { runOf } from '../../slices/apps/apps-slice.ts';
import { crashOfApp, unseenCrashOfApp } from '../../slices/apps/crashes.ts';
import { isConnected } from '../../slices/daemon/connection-slice.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { killedRunOf } from './run-text.ts';

/**
 * The run of an app that ended abnormally, for the app's own page; null: none to show. A crash that nobody had seen when
 * the page was opened stays as long as the page, although it counts as seen from then on.
 */
export function useEndedRun(appName: string): AppRun | null {
  const isRunning = useDashboard((s) => runOf(s.slot, appName) !== null);
  const crash = useDashboard((s) => crashOfApp(appName)(s)?.run ?? null);
  const unseen = useDashboard(unseenCrashOfApp(appName));
  const killed = useDashboard((s) => killedRunOf(s.slot, appName));
  const [found] = useState({ crash: unseen, wasRunning: isRunning });
  if (isRunning) return found.wasRunning ? found.crash : null;
  return crash ?? killed ?? found.crash;
}

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
