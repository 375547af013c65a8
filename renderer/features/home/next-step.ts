import type { AppSlotState } from '../../../daemon/contract/apps/app-slot.ts';
import type { InstalledApp, SampleApp } from '../../../daemon/contract/apps/apps.ts';

/** The primary action of the Home page. */
export type NextStep =
  | { readonly kind: 'running' }
  | { readonly kind: 'start'; readonly apps: readonly InstalledApp[] }
  | { readonly kind: 'install'; readonly sample: SampleApp }
  | { readonly kind: 'bring-your-own' };

const MAX_SUGGESTIONS = 3;

export function nextStep(
  slot: AppSlotState,
  installed: readonly InstalledApp[],
  samples: readonly SampleApp[],
): NextStep {
  if (slot.state !== 'free') return { kind: 'running' };
  if (installed.length > 0) return { kind: 'start', apps: suggestedApps(slot.lastRun?.appName, installed) };
  const sample = samples.find(({ needsNetwork }) => !needsNetwork) ?? samples[0];
  return sample ? { kind: 'install', sample } : { kind: 'bring-your-own' };
}

/** The app that ran last, then the most recently installed ones. */
function suggestedApps(lastRun: string | undefined, apps: readonly InstalledApp[]): readonly InstalledApp[] {
  const rank = ({ name }: InstalledApp) => (name === lastRun ? 0 : 1);
  return apps
    .toSorted((a, b) => rank(a) - rank(b) || b.installedAt.localeCompare(a.installedAt))
    .slice(0, MAX_SUGGESTIONS);
}
