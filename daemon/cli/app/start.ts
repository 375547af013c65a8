import type { AppSlotState } from '../../contract/apps/app-slot.ts';
import type { AppRun } from '../../contract/apps/runs.ts';
import { sleepOn, systemClock } from '../../shared/clock.ts';
import { type JsonOption, printError, printResult } from '../shared/print.ts';
import { ProgressLine } from '../shared/progress-line.ts';
import type { AppContext } from './app-daemon.ts';
import { runText } from './run-text.ts';

const POLL_MS = 150;
/** One that ends sooner after its connection did not start well: it is told why. */
const SETTLES_WITHIN_MS = 1_000;

export interface StartOptions extends JsonOption {
  readonly replace?: boolean;
  readonly wakePaid?: boolean;
}

/** `robot-daemon app start`: starts an app, and waits until it runs or has ended, or still loads after ten seconds. */
export async function start(context: AppContext, appName: string, options: StartOptions): Promise<void> {
  const { client, signal } = context;
  const query = { replace: options.replace ?? false, wakePaid: options.wakePaid ?? false };
  const slot = await client.call('startApp', { params: { appName }, query, signal });
  const runId = slot.state !== 'free' && slot.holder.kind === 'managed-app' ? slot.holder.runId : null;
  const end = await settled(context, appName, slot, runId, options);
  if (end === null) {
    printResult(options, await client.call('getAppSlot'), `${appName} is no longer in the slot.\n`);
    process.exitCode = 1;
  } else if ('outcome' in end) {
    printResult(options, { state: 'ended', run: end }, `${runText(end)}\n`);
    if (end.outcome !== 'finished') process.exitCode = 1;
  } else {
    printResult(options, end, `${appName} ${howItRuns(end)}.\n`);
    if (!options.json) printError(`Its output: robot-daemon app logs ${appName} --follow`);
  }
}

function howItRuns({ state, sdk }: InSlot): string {
  if (state === 'starting') return 'still loads: it has not connected to the robot yet';
  return sdk === 'silent' ? 'runs, without a connection to the robot' : 'runs';
}

type InSlot = Exclude<AppSlotState, { state: 'free' }>;

/** Waits until the app runs or has ended, or still loads after a while. @returns null when another one is in the slot without a trace of this run */
async function settled(
  { client, signal }: AppContext,
  appName: string,
  begun: AppSlotState,
  runId: string | null,
  { json }: JsonOption,
): Promise<InSlot | AppRun | null> {
  using progress = new ProgressLine();
  let connectedAt: number | null = null;
  for (let slot = begun; ; slot = await client.call('getAppSlot')) {
    const isOurs = slot.state !== 'free' && slot.holder.kind === 'managed-app' && slot.holder.runId === runId;
    if (!isOurs) {
      const runs = await client.call('listRuns', { query: { app: appName, limit: 10 } });
      return runs.find((run) => run.runId === runId) ?? null;
    }
    if (slot.state === 'starting' && slot.sdk === 'silent') return slot;
    if (slot.state === 'running' && slot.sdk !== 'waiting') {
      connectedAt ??= systemClock.elapsedMs();
      if (slot.sdk === 'silent' || systemClock.elapsedMs() - connectedAt >= SETTLES_WITHIN_MS) return slot;
    }
    if (!json) progress.showText(slot.state === 'free' ? '' : (slot.detail ?? `Starting ${appName}…`));
    await sleepOn(systemClock, POLL_MS, signal);
  }
}
