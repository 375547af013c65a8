import type { DaemonClient } from '../../client/calls.ts';
import { daemonAt } from '../../client/node/daemon-at.ts';
import { endOfJob } from '../../client/node/install.ts';
import type { AppSlotState } from '../../contract/apps/app-slot.ts';
import type { Job } from '../../contract/jobs.ts';
import { visibleText } from '../../shared/display-text.ts';
import type { DataPaths } from '../../shared/files/data-paths.ts';
import { neededDaemon } from '../shared/daemon-place.ts';
import { interruptible } from '../shared/interruptible.ts';
import type { JsonOption } from '../shared/print.ts';
import { ProgressLine } from '../shared/progress-line.ts';

const JOB_POLL_MS = 300;

/** The input of a command besides its arguments. */
export interface AppContext {
  readonly client: DaemonClient;
  /** Aborted with Interrupted by a signal. */
  readonly signal: AbortSignal;
}

/** Runs a command on the daemon of a data folder. @throws NoDaemon, Interrupted */
export async function onDaemon(paths: DataPaths, work: (context: AppContext) => Promise<void>): Promise<void> {
  const { url, token } = await neededDaemon(paths, 'Start it first: robot-daemon');
  await interruptible(async (signal) => {
    await work({ client: daemonAt(url, { token }), signal });
    signal.throwIfAborted();
  });
}

/** Starts a job and shows its steps until it has ended. An interrupt cancels it. @throws Interrupted */
export async function followJob(
  { client, signal }: AppContext,
  { json }: JsonOption,
  begin: () => Promise<Job>,
): Promise<Job> {
  using progress = new ProgressLine();
  const { id } = await begin();
  const cancel = () => void client.call('cancelJob', { params: { jobId: id } }).catch(() => {});
  if (signal.aborted) cancel();
  else signal.addEventListener('abort', cancel, { once: true });
  try {
    const onJob = (job: Job) => (json ? undefined : progress.showJob(job));
    const ended = await endOfJob(client, id, { pollMs: JOB_POLL_MS, onJob });
    if (ended.state === 'cancelled') signal.throwIfAborted();
    return ended;
  } finally {
    signal.removeEventListener('abort', cancel);
  }
}

/**
 * How a job ended.
 * @param texts the sentence of one that succeeded, and what a failed one left undone
 */
export function jobText(
  { state, subject, appName, failure }: Job,
  texts: { readonly done: (name: string) => string; readonly work: string; readonly undone: string },
): string {
  const name = appName ?? subject;
  if (state === 'done') return texts.done(name);
  if (!failure) return `The ${texts.work} of ${name} was cancelled.`;
  const accept =
    failure.pythonDownload === undefined ? '' : ' Repeat this command with --download-python to accept that.';
  const apps = (failure.apps ?? []).map(({ name: found, address }) => `\n  ${visibleText(`${found}: ${address}`)}`);
  return `${texts.undone} ${failure.message} ${failure.action}${accept}${apps.join('')}`;
}

/** The holder of the slot; null: nobody. */
export function holderName(slot: AppSlotState): string | null {
  if (slot.state === 'free') return null;
  return slot.holder.kind === 'managed-app' ? slot.holder.appName : slot.holder.name;
}
