import { DaemonError } from '../../client/daemon-error.ts';
import { DomainError } from '../../shared/domain-error.ts';
import { type JsonOption, printResult } from '../shared/print.ts';
import { ProgressLine } from '../shared/progress-line.ts';
import { type AppContext, holderName } from './app-daemon.ts';
import { runText } from './run-text.ts';

export interface StopOptions extends JsonOption {
  readonly force?: boolean;
}

class OtherAppRuns extends DomainError {
  constructor(appName: string, running: string) {
    super(`${appName} does not run: ${running} does. Nothing was stopped.`);
  }
}

/** `robot-daemon app stop`: stops the running app, and waits until it has ended. */
export async function stop(
  { client, signal }: AppContext,
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
