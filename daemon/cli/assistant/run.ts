import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { declaresNoApp } from '../../app-package/wrong-folder.ts';
import { quickCheck } from '../../assistant/check/check-own-app.ts';
import type { DaemonClient } from '../../client/calls.ts';
import { DaemonError } from '../../client/daemon-error.ts';
import { daemonAt } from '../../client/node/daemon-at.ts';
import { watchEvents } from '../../client/node/watch-events.ts';
import { DomainError } from '../../shared/domain-error.ts';
import { exitCodes } from '../shared/errors.ts';
import { interruptible, onEndSignals } from '../shared/interruptible.ts';
import { neededDaemon } from '../shared/on-daemon.ts';
import { startedAs, terminalCommand } from '../terminal-commands.ts';
import { checkDeps, existingFolder, type Folders } from './environment.ts';
import { findingsText } from './findings-text.ts';
import { followedEvents, RunFollowing } from './run-following.ts';
import { RunOutput, RunPrinter } from './run-output.ts';

interface RunOptions {
  readonly replace?: boolean;
}

/** `robot-app-assistant run` */
export async function run(path: string, { replace }: RunOptions, folders: Folders): Promise<void> {
  const folder = await existingFolder(path);
  const advice = `Start one in another terminal: ${terminalCommand(['--auto'], startedAs(folders.projectDir, folders.paths.root))}`;
  const { url, token } = await neededDaemon(folders.paths, advice);
  await requireApp(folder, folders); // before the daemon remembers the folder
  const client = daemonAt(url, { token });
  const { id: ownAppId } = await client.call('addOwnApp', { body: { folder } });
  using printer = new RunPrinter();
  const following = new RunFollowing(ownAppId, printer, new RunOutput(client, printer));
  const over = new AbortController();
  using _stop = stopOnSignals(ownAppId, { client, printer, onFailed: (error) => over.abort(error) });
  let isStarted = false;
  for await (const event of watchEvents(url, followedEvents, over.signal, token)) {
    await following.take(event);
    if (!isStarted) {
      isStarted = true; // the snapshot was first: every change of this run comes after it
      const query = replace ? { replace } : {};
      following.takeApp(await client.call('runOwnApp', { params: { ownAppId }, query }).catch(withReplaceHint));
    }
    if (following.isOver) break;
  }
  following.printEnd();
  const outcome = following.lastRun?.outcome;
  if (outcome === 'crashed' || outcome === 'killed' || !outcome) process.exitCode = exitCodes.failed;
}

function withReplaceHint(error: unknown): never {
  if (!(error instanceof DaemonError) || error.status !== 409) throw error;
  throw new DaemonError(409, `${error.message} Or give --replace.`, error.issues, error);
}

/** The findings of folders that no change of a file makes an app in passing. */
const noApp: ReadonlySet<string> = new Set(['no-pyproject', 'several-apps', 'in-subdirectory']);

class NoAppInFolder extends DomainError {
  constructor(folder: string) {
    super(`There is no app in ${folder}. Give the folder that holds its pyproject.toml.`);
  }
}

/** @throws NoAppInFolder for a folder of something else, after its findings were printed */
async function requireApp(folder: string, folders: Folders): Promise<void> {
  const pyproject = await readFile(join(folder, 'pyproject.toml'), 'utf8').catch(() => null);
  if (pyproject !== null && !declaresNoApp({ pyproject })) return;
  const deps = await checkDeps(folders);
  const { findings } = await interruptible((signal) => quickCheck(folder, deps, signal));
  const reasons = findings.filter(({ id }) => noApp.has(id));
  if (reasons.length === 0) return;
  process.stderr.write(findingsText(reasons, process.stderr));
  throw new NoAppInFolder(folder);
}

/**
 * Ctrl-C is Stop, a second one kills the app, a third one leaves it to the daemon.
 * @param onFailed called when the daemon cannot stop it
 */
function stopOnSignals(
  ownAppId: string,
  { client, printer, onFailed }: { client: DaemonClient; printer: RunPrinter; onFailed: (error: Error) => void },
): Disposable {
  let asked = 0;
  return onEndSignals(() => {
    asked += 1;
    if (asked === 1) {
      printer.note('Stopping it… Ctrl-C again kills it.');
      client.call('stopOwnApp', { params: { ownAppId } }).catch(onFailed);
    } else if (asked === 2) {
      printer.note('Killing it…');
      client.call('stopCurrentApp', { query: { force: true } }).catch(() => {}); // it has ended
    } else process.exit(exitCodes.interrupted);
  });
}
