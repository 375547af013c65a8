import type { DashboardStore } from './dashboard-store.ts';

/** Loads skipped lines of output and of an open log. A failed load is retried when new lines arrive or the slot changes. */
export function fetchMissing(store: DashboardStore): void {
  store.subscribe((now, before) => {
    if (now.output !== before.output || now.slot !== before.slot) void now.fillOutput();
    if (now.openLog && (now.openLog.newest !== before.openLog?.newest || now.openLog.logId !== before.openLog.logId))
      void now.fillEndpointLog();
  });
}
