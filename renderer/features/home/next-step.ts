import type { AppSlotState } from '../../../daemon/contract/apps/app-slot.ts';
import type { InstalledApp, SampleApp } from '../../../daemon/contract/apps/apps.ts';
import type { AppCrash, AppRun } from '../../../daemon/contract/apps/runs.ts';
import { isFailure } from '../run/run-text.ts';
import { causedRollback } from '../versions/version-text.ts';

type NextStep =
  | { readonly kind: 'running' }
  | { readonly kind: 'start'; readonly app: InstalledApp }
  /** Every app has crashed: another try is not the next step. */
  | { readonly kind: 'look-into'; readonly app: InstalledApp; readonly run: AppRun }
  | { readonly kind: 'install'; readonly sample: SampleApp }
  | { readonly kind: 'bring-your-own' };

/**
 * The app that ran last, unless it crashed, else the one that was installed last; never one that has crashed.
 * @param crashes of each app the last one, seen or not, newest first
 */
export function nextStep(
  slot: AppSlotState,
  installed: readonly InstalledApp[],
  samples: readonly SampleApp[],
  crashes: readonly AppCrash[],
): NextStep {
  if (slot.state !== 'free') return { kind: 'running' };
  const { lastRun } = slot;
  const lastGood = lastRun && !isFailure(lastRun) ? lastRun.appName : null;
  const hasCrashed = (app: InstalledApp) =>
    app.name !== lastGood && crashes.some(({ run }) => run.appName === app.name && !causedRollback(run, app));
  const good = installed
    .filter((app) => !hasCrashed(app))
    .toSorted((a, b) => b.installedAt.localeCompare(a.installedAt));
  const start = good.find(({ name }) => name === lastGood) ?? good[0];
  if (start) return { kind: 'start', app: start };
  for (const { run } of crashes) {
    const app = installed.find(({ name }) => name === run.appName);
    if (app) return { kind: 'look-into', app, run };
  }
  const easy = samples.find(({ needsNetwork, needs }) => !needsNetwork && needs.every(({ optional }) => optional));
  const sample = easy ?? samples[0];
  return sample ? { kind: 'install', sample } : { kind: 'bring-your-own' };
}
