import type { AppSlotState } from '../../../daemon/contract/apps/app-slot.ts';
import type { InstalledApp, SampleApp } from '../../../daemon/contract/apps/apps.ts';

type NextStep =
  | { readonly kind: 'running' }
  | { readonly kind: 'start'; readonly apps: readonly InstalledApp[] }
  | { readonly kind: 'install'; readonly sample: SampleApp }
  | { readonly kind: 'bring-your-own' };

const MAX_SUGGESTIONS = 3;

/** @param crashed the names of the apps with a crash that nobody has seen */
export function nextStep(
  slot: AppSlotState,
  installed: readonly InstalledApp[],
  samples: readonly SampleApp[],
  crashed: readonly string[],
): NextStep {
  if (slot.state !== 'free') return { kind: 'running' };
  if (installed.length > 0) {
    const first = [...crashed, ...(slot.lastRun ? [slot.lastRun.appName] : [])];
    return { kind: 'start', apps: suggestedApps(first, installed) };
  }
  const easy = samples.find(({ needsNetwork, needs }) => !needsNetwork && needs.every(({ optional }) => optional));
  const sample = easy ?? samples[0];
  return sample ? { kind: 'install', sample } : { kind: 'bring-your-own' };
}

/** The apps named first, in that order, then the most recently installed ones. */
function suggestedApps(first: readonly string[], apps: readonly InstalledApp[]): readonly InstalledApp[] {
  const rank = ({ name }: InstalledApp) => (first.includes(name) ? first.indexOf(name) : first.length);
  return apps
    .toSorted((a, b) => rank(a) - rank(b) || b.installedAt.localeCompare(a.installedAt))
    .slice(0, MAX_SUGGESTIONS);
}
