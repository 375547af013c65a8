import { randomBytes } from 'node:crypto';
import { chmod, chown, lstat, mkdir, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';

type Damage = 'empty' | 'truncated' | 'random' | 'folder' | 'file' | 'unreadable';

/** A file or a folder of a data folder, with the damage done to it. */
export interface Damaged {
  /** Below the data folder. */
  readonly path: string;
  readonly damage: Damage;
}

const forFiles: readonly Damage[] = ['empty', 'truncated', 'random', 'folder', 'unreadable'];
const forFolders: readonly Damage[] = ['file', 'unreadable'];

/** The files of an environment below these are thousands, which the doctor knows as one thing. */
const PACKAGES = /\/envs\/[^/]+\/(?:lib|lib64|Lib|bin|Scripts|share|include)\//;

/** Every file and folder of a data folder, each with every damage that it can take. */
export async function everyDamage(dataDir: string): Promise<Damaged[]> {
  const entries = await readdir(dataDir, { recursive: true, withFileTypes: true });
  return entries
    .map((entry) => ({ entry, path: relative(dataDir, join(entry.parentPath, entry.name)).replaceAll(sep, '/') }))
    .filter(({ path }) => !PACKAGES.test(`/${path}`))
    .sort((a, b) => (a.path < b.path ? -1 : 1))
    .flatMap(({ entry, path }): Damaged[] => {
      // The links lead to folders.
      const possible = entry.isSymbolicLink() ? forFolders : entry.isDirectory() ? forFolders : forFiles;
      return possible.map((damage) => ({ path, damage }));
    });
}

/** @returns the bytes now in its place; null: it has no content */
export async function doDamage(dataDir: string, { path: name, damage }: Damaged): Promise<Buffer | null> {
  const path = join(dataDir, name);
  const stats = await lstat(path);
  switch (damage) {
    case 'empty':
      await truncate(path);
      return null;
    case 'truncated':
      await truncate(path, Math.floor(stats.size / 2));
      return stats.size > 1 ? readFile(path) : null;
    case 'random':
      await writeFile(path, randomBytes(300));
      return readFile(path);
    case 'folder':
      await rm(path);
      await mkdir(join(path, 'deep'), { recursive: true });
      await writeFile(join(path, 'deep', 'file'), 'in a folder');
      return null;
    case 'file':
      await rm(path, { recursive: true });
      await writeFile(path, `the file ${name}`);
      return readFile(path);
    case 'unreadable':
      await chown(path, 0, 0);
      await chmod(path, stats.isDirectory() ? 0o700 : 0o600);
      return null;
  }
}

/** The content of every file below a folder, by its path; links are not followed. */
export async function contentsOf(folder: string): Promise<Map<string, string>> {
  const contents = new Map<string, string>();
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile()) contents.set(relative(folder, path).replaceAll(sep, '/'), await readFile(path, 'latin1'));
  }
  return contents;
}
