/** The app `dance` on a daemon's part for resets, on a real disk and with a real key file; the clock is moved. */
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { InstalledApps } from '../../apps/installed/installed-apps.ts';
import { AppResets } from '../../apps/reset/app-resets.ts';
import { AppVariables } from '../../apps/run/app-variables.ts';
import type { AppSlotState } from '../../contract/apps/app-slot.ts';
import { KeyedMutex } from '../../shared/async/mutex.ts';
import { keyFileSecretStore } from '../../shared/files/key-file-secret-store.ts';
import { createLogger } from '../../shared/logger.ts';
import { manualClock } from '../manual-clock.ts';
import { appNamed, appsIn, haveInstalled } from './some-apps.ts';

/** The time of day at the beginning of a test, and a day later. */
export const BEGIN = '2026-11-21T11:00:00.000Z';
export const NEXT_DAY = '2026-11-22T11:00:00.000Z';
export const DAY_MS = 24 * 60 * 60_000;

/** Starts on a data folder; `clock` is its time. */
export async function startOn(root: string, clock = manualClock()) {
  const log: string[] = [];
  const logger = createLogger('info', (line) => log.push(line));
  const apps = await appsIn(root);
  const secrets = keyFileSecretStore(join(root, 'secret-key'));
  const variables = new AppVariables({ folderOf: (name) => apps.folderOf(name), secrets, log: logger });
  const slot: { state: AppSlotState } = { state: { state: 'free', lastRun: null } };
  const appLocks = new KeyedMutex();
  const workDir = join(root, 'work');
  const resets = new AppResets({ apps, slot, appLocks, variables, workDir, clock, log: logger });
  await resets.load();
  return { apps, variables, slot, resets, clock, log };
}
type Started = Awaited<ReturnType<typeof startOn>>;

/** Starts where the app is installed and has saved a file, with a variable and a secret. */
export async function setUp() {
  const root = await mkdtemp(join(tmpdir(), 'resets-'));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  const folder = join(root, 'apps', 'dance');
  await haveInstalled(await appsIn(root), appNamed('dance'));
  const daemon = await startOn(root);
  await daemon.variables.set('dance', 'MOOD', { value: 'merry', secret: false });
  await daemon.variables.set('dance', 'API_KEY', { value: 'quiet', secret: true });
  await write(join(folder, 'files', 'scores', 'best.json'), '12345');
  return { root, folder, ...daemon };
}

/** Updates the app to a version. */
export function update(apps: InstalledApps, version: string): Promise<void> {
  return haveInstalled(apps, appNamed('dance', { version, installedAt: `2026-01-0${version[0]}T00:00:00Z` }));
}

/** The path of a file beside the code of the live version. */
export const besideCode = (apps: InstalledApps, path: string): string =>
  join(apps.environmentOf('dance'), 'lib', 'python3.12', 'site-packages', path);

/** Writes a file beside the code of the live version. @returns its path */
export async function saveBesideCode(apps: InstalledApps, path: string, text: string): Promise<string> {
  await write(besideCode(apps, path), text);
  return besideCode(apps, path);
}

/** Has the live version consist of files, by the list that an installer wrote. */
export async function havePackage(apps: InstalledApps, files: readonly string[]): Promise<void> {
  for (const path of files) await saveBesideCode(apps, path, 'of the package');
  await saveBesideCode(apps, 'dance-1.dist-info/RECORD', files.map((path) => `${path},sha256=x,1\n`).join(''));
}

export async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
}

/** All that the app has: the files of its working folder with their texts, and the environment of its runs. */
export async function found(folder: string, { variables }: Pick<Started, 'variables'>) {
  const below = await readdir(join(folder, 'files'), { recursive: true, withFileTypes: true }).catch(() => []);
  const files = below.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const texts = await Promise.all(
    files.map(async (path) => [path.slice(folder.length + 1), await readFile(path, 'utf8')]),
  );
  return { files: Object.fromEntries(texts), ...(await variables.environment('dance')) };
}

/** The contents of the app in the beginning, and after a reset. */
export const everything = {
  files: { 'files/scores/best.json': '12345' },
  environment: { MOOD: 'merry', API_KEY: 'quiet' },
  secrets: ['quiet'],
};
export const nothing = { files: {}, environment: {}, secrets: [] };

/** The folders and the record of resets in the folder of the app. */
export const leftIn = async (folder: string): Promise<string[]> =>
  (await readdir(folder)).filter((name) => name.startsWith('reset'));

/** The record of the resets of the app, and its path. */
export async function recordOf(folder: string) {
  const path = join(folder, 'reset.json');
  const record = JSON.parse(await readFile(path, 'utf8')) as { done: { folder: string } | null; moving: unknown };
  return { path, record };
}

/** Has a reset of the app, or its undo, end half way: the next daemon is to put it back. */
export async function interrupt(folder: string): Promise<void> {
  const { path, record } = await recordOf(folder);
  await writeFile(path, JSON.stringify({ done: null, moving: record.done }));
}
