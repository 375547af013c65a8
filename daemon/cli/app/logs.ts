import type { DaemonClient } from '../../client/calls.ts';
import type { OutputLine, RunOutputPage } from '../../contract/apps/runs.ts';
import { sleepOn, systemClock } from '../../shared/clock.ts';
import { DomainError } from '../../shared/domain-error.ts';
import { inStretches, linesAfter, newestLines, type ReadPage, type Stretch } from '../shared/line-reading.ts';
import { type JsonOption, print, printError, printJson } from '../shared/print.ts';
import { type AppContext, holderName } from './app-daemon.ts';
import { runText } from './run-text.ts';

const POLL_MS = 300;

export interface LogsOptions extends JsonOption {
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
  { client, signal }: AppContext,
  appName: string | undefined,
  options: LogsOptions,
): Promise<void> {
  const runId = options.run ?? (await newestRun(client, appName));
  const read: ReadPage<RunOutputPage & { logId: string }> = async (query = {}) => {
    const page = await client.call('getRunOutput', { params: { runId }, query, signal });
    return { ...page, logId: page.runId };
  };
  try {
    const { logId, ...log } = await newestLines(read, options.lines);
    if (options.json && !options.follow) return printJson(log);
    const [first] = log.lines;
    for (const stretch of inStretches(log.lines, (first?.number ?? 1) - 1)) printStretch(stretch, options);
    if (!options.follow) return;
    const wait = async () => {
      const isOpen = await isRunning(client, runId);
      if (isOpen) await sleepOn(systemClock, POLL_MS, signal);
      return isOpen;
    };
    for await (const stretch of linesAfter(read, { logId, after: log.last }, wait)) printStretch(stretch, options);
    const runs = await client.call('listRuns', { query: { app: log.appName, limit: 200 } });
    const run = runs.find((each) => each.runId === runId);
    if (run) printError(runText(run).split('\n')[0] ?? '');
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  }
}

function printStretch({ lost, lines }: Stretch<OutputLine>, { json }: JsonOption): void {
  if (lost > 0) printError(`(${lost} ${lost === 1 ? 'line is' : 'lines are'} not kept.)`);
  print(lines.map((line) => `${json ? JSON.stringify(line) : line.text}\n`).join(''));
}

/** The run that is under way, else the last one. @throws NoRun */
async function newestRun(client: DaemonClient, appName: string | undefined): Promise<string> {
  const slot = await client.call('getAppSlot');
  const isWanted = appName === undefined || appName === holderName(slot);
  if (isWanted && slot.state !== 'free' && slot.holder.kind === 'managed-app') return slot.holder.runId;
  const [run] = await client.call('listRuns', { query: { ...(appName && { app: appName }), limit: 1 } });
  if (!run) throw new NoRun(appName);
  return run.runId;
}

async function isRunning(client: DaemonClient, runId: string): Promise<boolean> {
  const slot = await client.call('getAppSlot');
  return slot.state !== 'free' && slot.holder.kind === 'managed-app' && slot.holder.runId === runId;
}
