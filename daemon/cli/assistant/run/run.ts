import { DaemonError } from '../../../client/daemon-error.ts';
import { daemonAt } from '../../../client/node/daemon-at.ts';
import { watchEvents } from '../../../client/node/watch-events.ts';
import { neededDaemon } from '../../shared/daemon-place.ts';
import { exitCodes } from '../../shared/exit-codes.ts';
import { daemonCommand, existingFolder, type Surroundings } from '../surroundings.ts';
import { requireApp } from './require-app.ts';
import { followedEvents, RunFollowing } from './run-following.ts';
import { RunOutput } from './run-output.ts';
import { RunPrinter } from './run-printer.ts';
import { RunStop } from './run-stop.ts';

export interface RunOptions {
  readonly replace?: boolean;
}

/** `robot-app-assistant run` */
export async function run(path: string, { replace }: RunOptions, surroundings: Surroundings): Promise<void> {
  const folder = await existingFolder(path);
  const advice = `Start one in another terminal: ${daemonCommand(surroundings)}`;
  const { url, token } = await neededDaemon(surroundings.paths, advice);
  await requireApp(folder, surroundings); // before the daemon remembers the folder
  const client = daemonAt(url, { token });
  const { id: ownAppId } = await client.call('addOwnApp', { body: { folder } });
  using printer = new RunPrinter();
  const following = new RunFollowing(ownAppId, printer, new RunOutput(client, printer));
  const over = new AbortController();
  using _stop = new RunStop(ownAppId, { client, printer, onFailed: (error) => over.abort(error) });
  let isStarted = false;
  for await (const event of watchEvents(url, followedEvents, over.signal, token)) {
    await following.take(event);
    if (!isStarted) {
      isStarted = true; // the snapshot was first: every change of this run comes after it
      const query = replace ? { replace } : {};
      following.started(await client.call('runOwnApp', { params: { ownAppId }, query }).catch(withReplaceHint));
    }
    if (following.isOver) break;
  }
  following.tellEnd();
  const outcome = following.lastRun?.outcome;
  if (outcome === 'crashed' || outcome === 'killed' || !outcome) process.exitCode = exitCodes.failed;
}

function withReplaceHint(error: unknown): never {
  if (!(error instanceof DaemonError) || error.status !== 409) throw error;
  throw new DaemonError(409, `${error.message} Or give --replace.`, error.issues, error);
}
