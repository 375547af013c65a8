import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { AppPointer, POINTER } from '../apps/installed/app-pointer.ts';
import { readJsonFile } from '../shared/files/json-file.ts';

/** The folder of an app on disk. */
export interface AppFolder {
  readonly key: string;
  readonly dir: string;
  /** null: missing or damaged. */
  readonly pointer: AppPointer | null;
  /** Why the pointer cannot be read; null: it can, or it is missing. */
  readonly damage: string | null;
  readonly envs: readonly string[];
  /** Whether the folder holds files of the app or settings of the user. */
  readonly hasContents: boolean;
}

export async function readAppFolders(appsDir: string): Promise<AppFolder[]> {
  const entries = await readdir(appsDir, { withFileTypes: true }).catch(() => []);
  const keys = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  return Promise.all(keys.sort().map((key) => readAppFolder(key, join(appsDir, key))));
}

async function readAppFolder(key: string, dir: string): Promise<AppFolder> {
  const list = (folder: string) => readdir(folder).catch(() => []);
  const [envs, files, all] = await Promise.all([list(join(dir, 'envs')), list(join(dir, 'files')), list(dir)]);
  const hasContents = files.length > 0 || all.some((name) => name !== 'envs' && name !== 'files' && name !== POINTER);
  try {
    const pointer = await readJsonFile(join(dir, POINTER), AppPointer);
    return { key, dir, pointer, damage: null, envs, hasContents };
  } catch (error) {
    return { key, dir, pointer: null, damage: (error as Error).message, envs, hasContents };
  }
}
