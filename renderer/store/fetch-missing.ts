import type { DashboardStore } from './dashboard-store.ts';

/**
 * Fetches what the daemon has and its events do not carry: skipped lines of output, and the hub's apps once they are read.
 * A fetch of lines that failed is repeated when more lines are known of or the app's run goes on or ends.
 */
export function fetchMissing(store: DashboardStore): void {
  store.subscribe((now, before) => {
    if (now.output !== before.output || now.slot !== before.slot) void now.fillOutput();
    if (now.store !== before.store) void now.fillStore();
  });
}
