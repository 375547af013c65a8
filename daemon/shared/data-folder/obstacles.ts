import { constants, type Stats } from 'node:fs';
import { access, lstat, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { DomainError } from '../domain-error.ts';
import type { DataPaths } from '../files/data-paths.ts';
import { setAside } from '../files/set-aside.ts';
import type { Logger } from '../logger.ts';

/** Something in the data folder that is in the place of a file or a folder of the daemon. */
interface Obstacle {
  readonly path: string;
  readonly wanted: 'file' | 'folder';
  /**
   * `kind`: a folder in the place of a file, a file in the place of a folder, or a pipe. `link`: a link to a folder that
   * does not exist, as when its disk is not connected. `access`: a folder that this user cannot read. `read-only`: one
   * that this user can only read, such as models shared by several users; only what writes there is refused.
   */
  readonly problem: 'kind' | 'link' | 'access' | 'read-only';
  /** A sentence without its full stop. */
  readonly what: string;
}

/** The name of an app's folder; others, such as a file of the system's file manager, are nobody's. */
const APP_FOLDER = /^[a-z0-9-]+$/;
const RUN_FOLDER = /^[0-9a-f]{16}$/;
const MODEL_FOLDER = /^[\w.-]+--[\w.-]+$/;

/**
 * Finds what stands in the way of a daemon. The daemon's lock is not looked at: taking it repairs it. Files inside of
 * folders are not looked at either: their readers and writers cope with a folder in their place.
 */
export async function findObstacles(paths: DataPaths): Promise<Obstacle[]> {
  const { apps, work, runs, endpoints, models, sockets, runtimes, tools, cache, shaderCache } = paths;
  const folders = [apps, work, runs, endpoints, models, sockets, runtimes, tools, cache];
  const files = Object.entries(paths).filter(([name]) => name.endsWith('File') && name !== 'lockFile');
  const inApps = await namesIn(apps, APP_FOLDER);
  const others = [
    shaderCache, // drivers have a place of their own, too
    ...inApps,
    ...inApps.flatMap((app) => [join(app, 'envs'), join(app, 'files')]),
    ...(await namesIn(runs, RUN_FOLDER)),
    ...(await namesIn(models, MODEL_FOLDER)),
  ];
  const found = await Promise.all([
    ...folders.map((path) => asFolder(path, true)),
    ...others.map((path) => asFolder(path, false)),
    ...files.map(([, path]) => asFile(path)),
  ]);
  return found.filter((obstacle) => obstacle !== null);
}

async function asFolder(path: string, isNeeded: boolean): Promise<Obstacle | null> {
  const is = (problem: Obstacle['problem'], what: string): Obstacle => ({ path, wanted: 'folder', problem, what });
  const stats = await statsOf(path);
  if (stats === null) return null;
  if (stats !== 'link' && !stats.isDirectory()) return is('kind', `${path} is not a folder`);
  if (!isNeeded) return null;
  if (stats === 'link') return is('link', `${path} is a link to a folder that does not exist`);
  const code = await refusal(path, constants.R_OK | constants.X_OK);
  if (code !== null) return is('access', `${path} cannot be used by this user (${code})`);
  if ((await refusal(path, constants.W_OK)) === null) return null;
  return is('read-only', `${path} can only be read by this user`);
}

async function asFile(path: string): Promise<Obstacle | null> {
  const stats = await statsOf(path);
  if (stats === null || stats === 'link' || stats.isFile()) return null;
  const what = stats.isDirectory() ? `${path} is a folder and not a file` : `${path} is not a regular file`;
  return { path, wanted: 'file', problem: 'kind', what };
}

async function refusal(folder: string, right: number): Promise<string | null> {
  return access(folder, right).then(
    () => null,
    ({ code }: NodeJS.ErrnoException) => (code === 'EROFS' ? null : (code ?? 'unknown')), // a disk without right to write
  );
}

/** @returns 'link' for a link to nothing, null when there is nothing or it cannot be known */
async function statsOf(path: string): Promise<Stats | 'link' | null> {
  try {
    return await stat(path);
  } catch {
    return lstat(path).then(
      (stats) => (stats.isSymbolicLink() ? 'link' : null),
      () => null,
    );
  }
}

async function namesIn(folder: string, wanted: RegExp): Promise<string[]> {
  const names = await readdir(folder).catch(() => []);
  return names.filter((name) => wanted.test(name)).map((name) => join(folder, name));
}

/** Something in the data folder keeps a daemon from starting. */
class DataFolderObstructed extends DomainError {
  constructor(what: string, problem: Exclude<Obstacle['problem'], 'read-only'>, cause?: Error) {
    const how = {
      kind: `Move it elsewhere${cause ? ` (${cause.message})` : ''}.`,
      link: 'Connect its disk, or run "robot-daemon doctor --fix", which sets the link aside.',
      access: 'Give it to this user, or run "robot-daemon doctor --fix", which sets it aside.',
    };
    super(`${what}. ${how[problem]}`, { cause });
  }
}

/**
 * Sets aside what is in the place of the daemon's files and folders. Leaves to the user what may come back by itself, such
 * as a folder on another disk. The caller holds the lock of the data folder.
 * @throws DataFolderObstructed
 */
export async function clearTheWay(paths: DataPaths, { now, log }: { now: () => Date; log: Logger }): Promise<void> {
  for (const obstacle of await findObstacles(paths)) {
    const { what, problem } = obstacle;
    if (problem === 'read-only') {
      log.warn(`${what}: nothing can be saved in it`);
      continue;
    }
    if (problem !== 'kind') throw new DataFolderObstructed(what, problem);
    try {
      const aside = await setAside(obstacle.path, paths.root, now());
      log.warn(`${what}: it is set aside as ${aside}`);
    } catch (error) {
      // A folder in the place of a file only keeps that file from being written.
      if (obstacle.wanted === 'folder') throw new DataFolderObstructed(what, problem, error as Error);
      log.warn(`${what}, and cannot be set aside: ${(error as Error).message}`);
    }
  }
}
