import type { AppSlotState } from '../../../daemon/contract/apps/app-slot.ts';
import type { InstalledApp } from '../../../daemon/contract/apps/apps.ts';
import type { CrashDiagnosis } from '../../../daemon/contract/apps/diagnosis.ts';
import type { AppCrash, AppRun } from '../../../daemon/contract/apps/runs.ts';
import type { StateText } from '../../parts/notes/progress-text.ts';
import { runOf } from '../../slices/apps/apps-slice.ts';
import { causedRollback } from '../versions/version-text.ts';

/**
 * The state of one app: that of its run, else that it crashed, or, if it ran last of all, that it was force-stopped or
 * interrupted. The version that an automatic rollback restored has not crashed: that one was rolled back.
 */
export function appStateText(slot: AppSlotState, app: InstalledApp, crash: AppCrash | null): StateText {
  const run = runOf(slot, app.name);
  if (run) return { word: run.state, tone: run.state === 'running' ? 'running' : 'busy' };
  const ended = crash?.run ?? killedRunOf(slot, app.name);
  if (!ended) return { word: 'ready', tone: 'idle' };
  return causedRollback(ended, app) ? { word: 'rolled back', tone: 'idle' } : endText(ended);
}

const outcomeText: Readonly<Record<AppRun['outcome'], StateText>> = {
  finished: { word: 'finished', tone: 'done' },
  stopped: { word: 'stopped', tone: 'idle' },
  killed: { word: 'force-stopped', tone: 'idle' },
  crashed: { word: 'crashed', tone: 'failed' },
};

/** The end of a run. One that was cut off with its daemon has neither exit code nor signal. */
export function endText(run: AppRun): StateText {
  const { outcome, exitCode, signal } = run;
  const isCutOff = outcome === 'killed' && exitCode === null && signal === null;
  return isCutOff ? { word: 'interrupted', tone: 'idle' } : outcomeText[outcome];
}

/** `exit code 1`, `SIGKILL`. */
export function exitText({ exitCode, signal }: AppRun): string {
  return signal ?? (exitCode === null ? 'no exit code' : `exit code ${exitCode}`);
}

/** The details of a failed run as plain text, to copy into a bug report. */
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

/** The place and the code of the app's own line, each null where it is not known or the message or action has it already. */
export function ownLineText({ message, action, ownLine }: CrashDiagnosis): {
  readonly place: string | null;
  readonly code: string | null;
} {
  if (!ownLine) return { place: null, code: null };
  const { file, line, code } = ownLine;
  const raised = /^raise .*?(["'])(.+)\1\)?$/.exec(code ?? '')?.[2];
  return {
    place: action.includes(`${file}, line ${line}`) ? null : `${file}:${line}`,
    code: raised !== undefined && message.includes(raised) ? null : code,
  };
}

/** The last run of all, if it was that app's and did not end by itself after a stop. */
export function killedRunOf(slot: AppSlotState, name: string): AppRun | null {
  const last = slot.state === 'free' ? slot.lastRun : null;
  return last?.appName === name && last.outcome === 'killed' ? last : null;
}

/** A killed run is no failure: the user asked for the stop, or the daemon ended. */
export const isFailure = ({ outcome }: AppRun): boolean => outcome === 'crashed';

/** Crashed or killed. */
export const endedAbnormally = (run: AppRun): boolean => isFailure(run) || run.outcome === 'killed';

export const silentText = 'No contact with the app: it may not use the robot, or it hangs.';
export const waitAtMostText = (seconds: number): string =>
  seconds < 120 ? `At most ${seconds} s more.` : `At most ${Math.round(seconds / 60)} min more.`;
export const notEndedText = 'It has not ended yet.';
export const forceStopText = (seconds: number): string => `It is force-stopped in ${seconds} s.`;

/** Why the settings page of an app cannot be opened. @param title of the app */
export const noSettingsText = {
  notConnected: 'The daemon does not answer.',
  notRunning: (title: string) => `Start ${title} to configure it.`,
  waiting: 'Its page does not answer yet.',
  portTaken: (title: string, port: number) =>
    `Another program uses port ${port}, which its page needs. Stop that program, then start ${title} again.`,
} as const;
