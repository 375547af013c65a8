import type { DashboardStore } from './dashboard-store.ts';

/**
 * Loads data that the events do not carry: skipped lines of output, and the hub's apps after a refresh. A failed load of
 * lines is retried when new lines arrive or the slot changes.
 */
export function fetchMissing(store: DashboardStore): void {
  store.subscribe((now, before) => {
    if (now.output !== before.output || now.slot !== before.slot) void now.fillOutput();
    if (now.store !== before.store) void now.fillStore();
  });
}
