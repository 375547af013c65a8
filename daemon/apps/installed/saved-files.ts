import { copyFile, lstat, mkdir, readdir, rm, utimes } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { byteText } from '../../contract/common/byte-text.ts';
import { pathExists } from '../../shared/async/succeeds.ts';
import { displayText } from '../../shared/display-text.ts';
import { installedRecords, packagesDirOf } from '../python/python-env.ts';

/** Far above what an app keeps beside its code; a download of a model may be more. */
const MAX_BYTES = 1024 ** 3;
/** The log names so many files of each kind: not kept, kept. */
const MAX_NAMED = 20;
/** Made by Python and the installer, outside of every package's list. */
const NOT_SAVED =
  /(?:^|\/)__pycache__\/|\.py[co]$|\.(?:dist|egg)-info\/|^(?:_virtualenv|easy-install|__editable__[^/]*)\.pth$|^[^/]+\.virtualenv$|^_virtualenv\.py$/;

interface SavedFile {
  /** From the folder of packages, with slashes. */
  readonly path: string;
  readonly bytes: number;
}

/** Called with a file or folder that cannot be read, and the code of the error. */
type OnUnread = (path: string, code: string) => void;

/**
 * The files that an app has saved beside its code: those in the folder of packages that belong to no package. Links are left
 * out. Never rejects.
 */
export async function savedFiles(envDir: string, onUnread: OnUnread = () => {}): Promise<SavedFile[]> {
  const packagesDir = await packagesDirOf(envDir);
  if (packagesDir === null) return [];
  const owned = await ownedFiles(packagesDir);
  const saved: SavedFile[] = [];
  const attempt = <T>(path: string, reading: Promise<T>): Promise<T | null> =>
    reading.catch((error: unknown) => {
      if (!isGone(path, error)) onUnread(path, codeOf(error));
      return null;
    });
  const readFolder = async (folder: string): Promise<void> => {
    const entries = await attempt(folder, readdir(join(packagesDir, folder), { withFileTypes: true }));
    for (const entry of entries ?? []) {
      const path = folder + entry.name;
      if (entry.isDirectory()) {
        if (!NOT_SAVED.test(`${path}/`)) await readFolder(`${path}/`);
      } else if (entry.isFile() && !owned.has(path) && !NOT_SAVED.test(path)) {
        const status = await attempt(path, lstat(join(packagesDir, path)));
        if (status) saved.push({ path, bytes: status.size });
      }
    }
  };
  await readFolder('');
  return saved.sort((a, b) => (a.path < b.path ? -1 : 1));
}

/**
 * Of files that were saved beside the code of another version, those in whose places an environment has something of its
 * packages, or a folder.
 * @param paths from the folder of packages, with slashes
 */
export async function takenByPackages(envDir: string, paths: readonly string[]): Promise<string[]> {
  const packagesDir = await packagesDirOf(envDir);
  if (packagesDir === null) return [...paths];
  const owned = await ownedFiles(packagesDir);
  const taken: string[] = [];
  for (const path of paths) {
    const names = path.split('/');
    const isOwned = names.some((_, index) => owned.has(names.slice(0, index + 1).join('/')));
    const there = isOwned ? null : await lstat(join(packagesDir, path)).catch(() => null);
    if (isOwned || there?.isDirectory()) taken.push(path);
  }
  return taken;
}

/** A further sentence to say after a rollback between two environments; empty if no file is saved in either. */
export async function savedThen(envDirs: readonly string[]): Promise<string> {
  const saved = await Promise.all(envDirs.map((each) => savedFiles(each)));
  if (saved.flat().length === 0) return '';
  return ' Files that it saved beside its code are those of that time; files in its working folder are the current ones.';
}

const codeOf = (error: unknown) => String((error as NodeJS.ErrnoException).code);

/** Whether the app has removed a file meanwhile. One with a name that is not UTF-8 is not found either, and still there. */
const isGone = (path: string, error: unknown) => codeOf(error) === 'ENOENT' && !path.includes('\uFFFD');

/**
 * Copies what an app has saved beside its code into the environment of its next version, except where a package there has a
 * file of that name. Together at most 1 GB, the smallest first.
 * @param progress.log gets a line for each file, with its size, first those that are not copied; of each kind a limited number
 * @throws the reason of the signal
 */
export async function carryFiles(
  from: string,
  to: string,
  { log, signal }: { readonly log: (line: string) => void; readonly signal: AbortSignal },
): Promise<void> {
  const [old, next] = [await packagesDirOf(from), await packagesDirOf(to)];
  if (old === null || next === null) return;
  const owned = await ownedFiles(next);
  const [kept, lost]: [Line[], Line[]] = [[], []];
  const saved = await savedFiles(from, (path, code) =>
    lost.push({ text: `${displayText(path, 120)} is not kept: it cannot be read (${code})`, bytes: 0 }),
  );
  let sum = 0;
  for (const { path, bytes } of saved.toSorted((a, b) => a.bytes - b.bytes)) {
    signal.throwIfAborted();
    const shown = `${displayText(path, 120)} (${byteText(bytes)})`;
    const problem = owned.has(path)
      ? 'the new version has a file of that name'
      : sum + bytes > MAX_BYTES
        ? `the app has saved more than ${byteText(MAX_BYTES)} beside its code`
        : await copied(join(old, path), join(next, path));
    if (problem === null) sum += bytes;
    if (problem === null) kept.push({ text: `kept ${shown}, which the app saved beside its code`, bytes });
    else lost.push({ text: `${shown} is not kept: ${problem}`, bytes });
  }
  for (const line of [...firstOf(lost, 'warning: '), ...firstOf(kept, '')]) log(line);
}

/** A line of the log, and the size of the file that it is about. */
interface Line {
  readonly text: string;
  readonly bytes: number;
}

/** The first lines, and the sum of the others. */
function firstOf(lines: readonly Line[], prefix: string): string[] {
  const others = lines.slice(MAX_NAMED);
  const sum = byteText(others.reduce((bytes, line) => bytes + line.bytes, 0));
  const last = others.length === 0 ? [] : [`and ${others.length} more like these, ${sum} in all`];
  return [...lines.slice(0, MAX_NAMED).map(({ text }) => text), ...last].map((text) => prefix + text);
}

/** Copies a file with its times. @returns why it is not copied; null: it is. @throws the system's error, such as for a full disk */
async function copied(from: string, to: string): Promise<string | null> {
  try {
    await mkdir(dirname(to), { recursive: true });
  } catch (error) {
    if (!['EEXIST', 'ENOTDIR'].includes(codeOf(error))) throw error;
    return 'the new version has a file in the place of its folder';
  }
  const there = await lstat(to).catch(() => null);
  if (there?.isDirectory()) return 'the new version has a folder of that name';
  try {
    const { atime, mtime } = await lstat(from);
    await rm(to, { force: true }); // it may be a link to the installer's cache
    await copyFile(from, to);
    await utimes(to, atime, mtime);
    return null;
  } catch (error) {
    const code = codeOf(error);
    if (!['ENOENT', 'EACCES', 'EPERM', 'EBUSY'].includes(code)) throw error;
    return `it cannot be read (${code})`;
  }
}

/** The files of all packages of an environment, by the lists that its installer wrote. */
async function ownedFiles(packagesDir: string): Promise<Pick<ReadonlySet<string>, 'has'>> {
  const records = await installedRecords(packagesDir);
  const inOneCase = (await ignoresCase(packagesDir)) ? (path: string) => path.toLowerCase() : (path: string) => path;
  const owned = new Set(records.flatMap(({ record }) => record.split('\n').map((line) => inOneCase(firstField(line)))));
  return { has: (path) => owned.has(inOneCase(path)) };
}

/** Whether a folder's disk takes names that differ in case only for the same. */
function ignoresCase(folder: string): Promise<boolean> {
  return pathExists(join(dirname(folder), basename(folder).toUpperCase()));
}

/** The first field of a line of CSV: the path, in quotes where it has a comma. */
function firstField(line: string): string {
  const quoted = /^"((?:[^"]|"")*)"/.exec(line)?.[1];
  return quoted?.replaceAll('""', '"') ?? line.slice(0, Math.max(0, line.indexOf(',')));
}
