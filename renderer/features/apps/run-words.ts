import type { AppRun, AppSlotState } from '../../../daemon/contract/apps.ts';
import type { Tone } from '../../parts/StateWord.tsx';
import { runOf } from './apps-slice.ts';

interface Words {
  readonly word: string;
  readonly tone: Tone;
}

/** The state of one app: what it does now, or how its last run ended when that is the latest run of all. */
export function appWords(slot: AppSlotState, name: string): Words {
  const run = runOf(slot, name);
  if (run) return { word: run.state, tone: run.state === 'running' ? 'running' : 'busy' };
  const last = lastRunOf(slot, name);
  return last && isFailure(last) ? { word: failures[last.outcome], tone: 'failed' } : { word: 'ready', tone: 'idle' };
}

export function lastRunOf(slot: AppSlotState, name: string): AppRun | null {
  return slot.state === 'free' && slot.lastRun?.appName === name ? slot.lastRun : null;
}

type Failure = 'crashed' | 'killed';

export function isFailure(run: AppRun): run is AppRun & { outcome: Failure } {
  return run.outcome in failures;
}

const failures: Readonly<Record<Failure, string>> = {
  crashed: 'crashed',
  killed: 'had to be ended',
};
