import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { AppPointer, POINTER } from '../apps/installed/app-pointer.ts';
import { readJsonFile } from '../shared/files/json-file.ts';

/** The folder of an app as it lies on the disk. */
export interface AppFolder {
  readonly key: string;
  readonly dir: string;
  /** null: there is none, or it is damaged. */
  readonly pointer: AppPointer | null;
  /** What is wrong with the pointer; null: nothing, or there is none. */
  readonly damage: string | null;
  /** The names of its environments. */
  readonly envs: readonly string[];
  /** Whether the app has written anything, or a user has set something for it. */
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
