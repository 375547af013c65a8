import type { AppRun } from '../../contract/apps/runs.ts';
import type { Now } from '../../shared/clock.ts';
import type { Logger } from '../../shared/logger.ts';
import { causeKind } from '../crash/crash-causes.ts';
import type { InstalledApps } from './installed-apps.ts';

/** An update whose first run crashes sooner than this is rolled back. */
const TRIAL_MS = 10_000;

/**
 * Approves an update on trial after a good first run, and rolls back one that crashes at once. A run of another version
 * changes nothing.
 */
export async function judgeUpdate(
  run: AppRun,
  apps: Pick<InstalledApps, 'find' | 'approve' | 'rollBack'>,
  { now, log }: { readonly now: Now; readonly log: Logger },
): Promise<void> {
  const app = apps.find(run.appName);
  if (!app?.onTrial || app.version !== run.version || run.startedAt < app.installedAt) return;
  const lastedMs = Date.parse(run.endedAt) - Date.parse(run.startedAt);
  if (run.outcome !== 'crashed' || lastedMs >= TRIAL_MS) return apps.approve(app.name);
  if (run.diagnosis && causeKind[run.diagnosis.cause] !== 'version') return;
  const seconds = Math.max(1, Math.round(lastedMs / 1000));
  const why = run.diagnosis?.message ?? run.message;
  log.warn(`apps: ${app.name} ${app.version} is rolled back: ${run.message}`);
  await apps.rollBack(app.name, {
    at: now().toISOString(),
    automatic: true,
    reason: `Version ${app.version} ended ${seconds} s after its first start. ${why}`,
  });
}
