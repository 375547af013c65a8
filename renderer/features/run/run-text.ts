import type { AppSlotState } from '../../../daemon/contract/apps/app-slot.ts';
import type { InstalledApp } from '../../../daemon/contract/apps/apps.ts';
import type { AppRun } from '../../../daemon/contract/apps/runs.ts';
import type { Tone } from '../../parts/notes/StateWord.tsx';
import { runOf } from '../../slices/apps/apps-slice.ts';
import { causedRollback } from '../versions/version-text.ts';

interface StateText {
  readonly word: string;
  readonly tone: Tone;
}

/**
 * The state of one app: what it does now, or how its last run ended when that is the latest run of all. A version that
 * came back by itself has not run since.
 */
export function appStateText(slot: AppSlotState, app: InstalledApp): StateText {
  const run = runOf(slot, app.name);
  if (run) return { word: run.state, tone: run.state === 'running' ? 'running' : 'busy' };
  const last = lastRunOf(slot, app.name);
  return last && endedAbnormally(last) && !causedRollback(last, app)
    ? outcomeText[last.outcome]
    : { word: 'ready', tone: 'idle' };
}

/** How a run ended, as a word and a tone; the word is never the tone's alone. */
export const outcomeText: Readonly<Record<AppRun['outcome'], StateText>> = {
  finished: { word: 'finished', tone: 'done' },
  stopped: { word: 'stopped', tone: 'idle' },
  killed: { word: 'force-stopped', tone: 'idle' },
  crashed: { word: 'crashed', tone: 'failed' },
};

/** With what a run's process ended: `exit code 1`, `SIGKILL`. */
export function exitText({ exitCode, signal }: AppRun): string {
  return signal ?? (exitCode === null ? 'no exit code' : `exit code ${exitCode}`);
}

/** All that is known of a run that failed, to be pasted where one asks for help. */
export function crashDetails(run: AppRun): string {
  const { diagnosis } = run;
  const line = diagnosis?.ownLine;
  return [
    `${run.appName} ${run.version} ${run.outcome}, ${exitText(run)}, ${run.endedAt}`,
    run.message,
    ...(diagnosis ? [diagnosis.message, diagnosis.action] : []),
    ...(line ? [`${line.file}:${line.line} ${line.code ?? ''}`.trim()] : []),
    ...(diagnosis?.evidence ?? []),
  ].join('\n');
}

export function lastRunOf(slot: AppSlotState, name: string): AppRun | null {
  return slot.state === 'free' && slot.lastRun?.appName === name ? slot.lastRun : null;
}

/** Nobody asked for that end. An app is killed only once somebody wanted it to stop. */
export const isFailure = ({ outcome }: AppRun): boolean => outcome === 'crashed';

/** Names a crash, as something that is read and put away. */
export const crashKey = ({ runId }: AppRun): string => `crash ${runId}`;

/** There is something to say about how it ended. */
export const endedAbnormally = (run: AppRun): boolean => isFailure(run) || run.outcome === 'killed';
