import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { ModelFile } from '../contract/model-files/model-files.ts';
import type { DataPaths } from '../shared/files/data-paths.ts';
import { folderBytes } from '../shared/files/folder-size.ts';
import { readAppFolders } from './app-folders.ts';
import { storedModelFiles } from './stored-model-files.ts';

/** Disk use of the data folder, in bytes. Files that environments share with the cache count in both. */
export interface Inventory {
  readonly parts: readonly { readonly name: string; readonly path: string; readonly bytes: number }[];
  readonly apps: readonly AppInventory[];
  readonly modelFiles: readonly ModelFile[];
}

export interface AppInventory {
  readonly name: string;
  readonly version: string;
  readonly path: string;
  readonly environmentBytes: number;
  /** null: no earlier version. */
  readonly previous: { readonly version: string; readonly bytes: number } | null;
  /** The files that the app has written. */
  readonly filesBytes: number;
}

export async function takeInventory(paths: DataPaths): Promise<Inventory> {
  const entries = await readdir(paths.root, { withFileTypes: true }).catch(() => []);
  // Links count too: the tools folder may be on another disk.
  const folders = entries.filter((entry) => !entry.isFile()).map(({ name }) => name);
  const [parts, apps, modelFiles] = await Promise.all([
    Promise.all(
      folders.sort().map(async (name) => {
        const path = join(paths.root, name);
        return { name, path, bytes: await folderBytes(path) };
      }),
    ),
    inventoryOfApps(paths.apps),
    storedModelFiles(paths)
      .list()
      .catch(() => []), // a record that cannot be read is a finding of its own
  ]);
  return { parts, apps, modelFiles };
}

async function inventoryOfApps(appsDir: string): Promise<AppInventory[]> {
  const folders = await readAppFolders(appsDir);
  const apps = await Promise.all(
    folders.map(async ({ dir, pointer }): Promise<AppInventory[]> => {
      if (!pointer) return [];
      const { app, env, previous } = pointer;
      const inEnv = (name: string) => folderBytes(join(dir, 'envs', name));
      const [environmentBytes, previousBytes, filesBytes] = await Promise.all([
        inEnv(env),
        previous ? inEnv(previous.env) : 0,
        folderBytes(join(dir, 'files')),
      ]);
      return [
        {
          name: app.name,
          version: app.version,
          path: dir,
          environmentBytes,
          previous: previous && { version: previous.app.version, bytes: previousBytes },
          filesBytes,
        },
      ];
    }),
  );
  return apps.flat();
}
