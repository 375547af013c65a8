import type { DaemonClient } from '../../client/calls.ts';
import { DaemonError } from '../../client/daemon-error.ts';
import type { AppSlotState } from '../../contract/apps/app-slot.ts';
import type { AppRun, OutputLine, RunOutputPage } from '../../contract/apps/runs.ts';
import { sleepOn, systemClock } from '../../shared/clock.ts';
import { visibleText } from '../../shared/display-text.ts';
import { DomainError } from '../../shared/domain-error.ts';
import { inStretches, linesAfter, lostText, newestLines, type ReadPage, type Stretch } from '../shared/line-reading.ts';
import type { OnDaemon } from '../shared/on-daemon.ts';
import { type JsonOption, print, printError, printJson, printResult } from '../shared/print.ts';
import { ProgressLine } from '../shared/progress-line.ts';

const START_POLL_MS = 150;
const OUTPUT_POLL_MS = 300;
/** A run that ends sooner after its connection did not start well: the reason is shown. */
const SETTLES_WITHIN_MS = 1_000;

export interface StartOptions extends JsonOption {
  readonly replace?: boolean;
  readonly wakePaid?: boolean;
}

/** `robot-daemon app start`: starts an app, and waits until it runs or has ended, or still loads after ten seconds. */
export async function start(context: OnDaemon, appName: string, options: StartOptions): Promise<void> {
  const { client, signal } = context;
  const query = { replace: options.replace ?? false, wakePaid: options.wakePaid ?? false };
  const slot = await client.call('startApp', { params: { appName }, query, signal });
  const end = await settled(context, appName, slot, options);
  if (end === null) {
    printResult(options, await client.call('getAppSlot'), `${appName} no longer runs.\n`);
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
  { client, signal }: OnDaemon,
  appName: string,
  begun: AppSlotState,
  { json }: JsonOption,
): Promise<InSlot | AppRun | null> {
  using progress = new ProgressLine();
  const runId = runIn(begun);
  let connectedAt: number | null = null;
  for (let slot = begun; ; slot = await client.call('getAppSlot')) {
    if (slot.state === 'free' || runId === null || runIn(slot) !== runId) {
      const runs = await client.call('listRuns', { query: { app: appName, limit: 10 } });
      return runs.find((run) => run.runId === runId) ?? null;
    }
    if (slot.state === 'starting' && slot.sdk === 'silent') return slot;
    if (slot.state === 'running' && slot.sdk !== 'waiting') {
      connectedAt ??= systemClock.elapsedMs();
      if (slot.sdk === 'silent' || systemClock.elapsedMs() - connectedAt >= SETTLES_WITHIN_MS) return slot;
    }
    if (!json) progress.showText(slot.detail ?? `Starting ${appName}…`);
    await sleepOn(systemClock, START_POLL_MS, signal);
  }
}

interface StopOptions extends JsonOption {
  readonly force?: boolean;
}

class OtherAppRuns extends DomainError {
  constructor(appName: string, running: string) {
    super(`${appName} does not run: ${running} does. Nothing was stopped.`);
  }
}

/** `robot-daemon app stop`: stops the running app, and waits until it has ended. */
export async function stop(
  { client, signal }: OnDaemon,
  appName: string | undefined,
  options: StopOptions,
): Promise<void> {
  const before = await client.call('getAppSlot');
  const running = holderName(before);
  if (running === null) return printResult(options, before, 'No app runs.\n');
  if (appName !== undefined && appName !== running) throw new OtherAppRuns(appName, running);
  using progress = new ProgressLine();
  if (!options.json) progress.showText(`Stopping ${running}…`);
  const query = { force: options.force ?? false };
  const slot = await client.call('stopCurrentApp', { query, signal }).catch(async (error: unknown) => {
    signal.throwIfAborted();
    // It ended by itself in the meantime.
    const now = await client.call('getAppSlot');
    if (error instanceof DaemonError && error.status === 409 && now.state === 'free') return now;
    throw error;
  });
  progress.clear();
  const run = slot.state === 'free' ? slot.lastRun : null;
  printResult(options, slot, `${run?.appName === running ? runText(run) : `${running} has stopped.`}\n`);
}

interface LogsOptions extends JsonOption {
  readonly run?: string;
  readonly lines: number;
  readonly follow?: boolean;
}

class NoRun extends DomainError {
  constructor(appName: string | undefined) {
    super(appName === undefined ? 'No app has run yet.' : `${appName} has not run yet.`);
  }
}

/** `robot-daemon app logs`: the output of the running app, or of the last run; also as it comes. */
export async function logs(
  { client, signal }: OnDaemon,
  appName: string | undefined,
  options: LogsOptions,
): Promise<void> {
  const runId = options.run ?? (await newestRun(client, appName));
  const read: ReadPage<RunOutputPage & { logId: string }> = async (query = {}) => {
    const page = await client.call('getRunOutput', { params: { runId }, query, signal });
    return { ...page, logId: page.runId };
  };
  const { logId, ...log } = await newestLines(read, options.lines);
  if (options.json && !options.follow) return printJson(log);
  const [first] = log.lines;
  for (const stretch of inStretches(log.lines, (first?.number ?? 1) - 1)) printStretch(stretch, options);
  if (!options.follow) return;
  const wait = async () => {
    const isOpen = runIn(await client.call('getAppSlot')) === runId;
    if (isOpen) await sleepOn(systemClock, OUTPUT_POLL_MS, signal);
    return isOpen;
  };
  for await (const stretch of linesAfter(read, { logId, after: log.last }, wait)) printStretch(stretch, options);
  const runs = await client.call('listRuns', { query: { app: log.appName, limit: 200 } });
  const run = runs.find((each) => each.runId === runId);
  if (run) printError(runText(run).split('\n')[0] ?? '');
}

function printStretch({ lost, lines }: Stretch<OutputLine>, { json }: JsonOption): void {
  if (lost > 0) printError(lostText(lost));
  print(lines.map((line) => `${json ? JSON.stringify(line) : line.text}\n`).join(''));
}

/** The run that is under way, else the last one. @throws NoRun */
async function newestRun(client: DaemonClient, appName: string | undefined): Promise<string> {
  const slot = await client.call('getAppSlot');
  const current = runIn(slot);
  if (current !== null && (appName === undefined || appName === holderName(slot))) return current;
  const [run] = await client.call('listRuns', { query: { ...(appName && { app: appName }), limit: 1 } });
  if (!run) throw new NoRun(appName);
  return run.runId;
}

/** The run in the slot; null: none of an installed app. */
export const runIn = (slot: AppSlotState): string | null =>
  slot.state !== 'free' && slot.holder.kind === 'managed-app' ? slot.holder.runId : null;

/**
 * The end of a run, for a person: of a crash also the place in the app's own code, the output that shows it and what to do.
 * @param options.outputShown leaves out the output, which the person has just read
 */
export function runText({ appName, message, diagnosis }: AppRun, { outputShown = false } = {}): string {
  const head = `${appName}: ${visibleText(message)}`;
  if (!diagnosis) return head;
  const { ownLine, evidence, action } = diagnosis;
  const place = ownLine
    ? [`${ownLine.file}:${ownLine.line}${ownLine.code === null ? '' : `: ${ownLine.code.trim()}`}`]
    : [];
  const details = [...place, ...(outputShown ? [] : evidence)].map((line) => `  ${visibleText(line)}`);
  return [head, ...details, visibleText(action)].join('\n');
}

/** The holder of the slot; null: nobody. */
export function holderName(slot: AppSlotState): string | null {
  if (slot.state === 'free') return null;
  return slot.holder.kind === 'managed-app' ? slot.holder.appName : slot.holder.name;
}
