import { stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { CheckDeps } from '../../assistant/check/check-deps.ts';
import { settlesWithin } from '../../shared/async/settles-within.ts';
import { systemClock } from '../../shared/clock.ts';
import { instanceIn } from '../../shared/data-folder/data-folder-lock.ts';
import { isSystemError } from '../../shared/domain-error.ts';
import type { DataPaths } from '../../shared/files/data-paths.ts';
import { savedText } from '../daemon-arguments.ts';
import { projectResources } from '../project.ts';
import { BadArguments } from '../shared/errors.ts';

/** Where the assistant runs. */
export interface Folders {
  /** The folder with package.json, assets and dist. */
  readonly projectDir: string;
  /** Of the daemon, running or not. */
  readonly paths: DataPaths;
}

const absent: ReadonlySet<string> = new Set(['ENOENT', 'ENOTDIR']);

/** The absolute path of an existing folder. @throws BadArguments */
export async function existingFolder(given: string): Promise<string> {
  const path = resolve(given);
  const found = await stat(path).catch((error: unknown) => {
    if (!isSystemError(error)) throw error;
    const why = absent.has(error.code ?? '')
      ? `There is no folder ${path}.`
      : `${path} cannot be read (${error.code}).`;
    throw new BadArguments(`${why} Give the folder of the app.`);
  });
  if (!found.isDirectory()) throw new BadArguments(`${path} is not a folder. Give the folder of the app.`);
  return path;
}

/** The collaborators of checks without a daemon. They share nothing with one that runs, which may use its own at the same time. */
export async function checkDeps({ projectDir, paths }: Folders): Promise<CheckDeps> {
  const { createCheckDeps } = await import('../../assistant/check/check-deps.ts');
  const python = savedText(await instanceIn(paths), 'python'); // that of the daemon that was started last
  const { assetsDir } = projectResources(projectDir);
  const cacheDir = join(paths.root, 'assistant');
  return createCheckDeps({ assetsDir, cacheDir, environment: process.env, python, clock: systemClock });
}

const DAEMON_MS = 2_000;

/**
 * Adds the folder of an app to the list of the daemon, if one runs, so that the dashboard shows it too. Never rejects,
 * and waits two seconds at most: the folder is there without it.
 */
export async function listFolder(folder: string, paths: DataPaths): Promise<void> {
  await settlesWithin(systemClock, DAEMON_MS, addToList(folder, paths)).catch(() => {});
}

async function addToList(folder: string, paths: DataPaths): Promise<void> {
  // The client of a daemon is loaded only where a daemon has recorded its address.
  if (!(await instanceIn(paths))?.url) return;
  const [{ daemonPlace }, { daemonAt }] = await Promise.all([
    import('../shared/on-daemon.ts'),
    import('../../client/node/daemon-at.ts'),
  ]);
  const place = await daemonPlace(paths, DAEMON_MS);
  if (place === null) return;
  await daemonAt(place.url, { deadlineMs: DAEMON_MS, token: place.token }).call('addOwnApp', { body: { folder } });
}
