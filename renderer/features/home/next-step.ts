import type { AppSlotState } from '../../../daemon/contract/apps/app-slot.ts';
import type { InstalledApp, SampleApp } from '../../../daemon/contract/apps/apps.ts';

type NextStep =
  | { readonly kind: 'running' }
  | { readonly kind: 'start'; readonly apps: readonly InstalledApp[] }
  | { readonly kind: 'install'; readonly sample: SampleApp }
  | { readonly kind: 'bring-your-own' };

const MAX_SUGGESTIONS = 3;

/** @param crashed the names of the apps with a crash that nobody has seen: another try is not the next step */
export function nextStep(
  slot: AppSlotState,
  installed: readonly InstalledApp[],
  samples: readonly SampleApp[],
  crashed: readonly string[],
): NextStep {
  if (slot.state !== 'free') return { kind: 'running' };
  if (installed.length > 0) {
    return { kind: 'start', apps: suggestedApps(slot.lastRun?.appName ?? null, installed, crashed) };
  }
  const easy = samples.find(({ needsNetwork, needs }) => !needsNetwork && needs.every(({ optional }) => optional));
  const sample = easy ?? samples[0];
  return sample ? { kind: 'install', sample } : { kind: 'bring-your-own' };
}

/** The app that ran last, then the most recently installed ones; those that crashed come after all others. */
function suggestedApps(
  last: string | null,
  apps: readonly InstalledApp[],
  crashed: readonly string[],
): readonly InstalledApp[] {
  const rank = ({ name }: InstalledApp) => (crashed.includes(name) ? 2 : name === last ? 0 : 1);
  return apps
    .toSorted((a, b) => rank(a) - rank(b) || b.installedAt.localeCompare(a.installedAt))
    .slice(0, MAX_SUGGESTIONS);
}
