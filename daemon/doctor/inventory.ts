import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { AppPointer, POINTER } from '../apps/installed/app-pointer.ts';
import { isResetFolder } from '../apps/reset/reset-record.ts';
import type { ModelFile } from '../contract/model-files/model-files.ts';
import { modelUsers } from '../endpoints/model-users.ts';
import { EndpointRecord } from '../endpoints/records/endpoint-record.ts';
import { ModelInventory } from '../model-files/model-inventory.ts';
import { ModelStore } from '../model-files/model-store.ts';
import type { DataPaths } from '../shared/files/data-paths.ts';
import { folderBytes } from '../shared/files/folder-size.ts';
import { readJsonFile } from '../shared/files/json-file.ts';
import { createLogger } from '../shared/logger.ts';

/** Disk use of the data folder, in bytes. Files that environments share with the cache count in both. */
export interface Inventory {
  readonly parts: readonly { readonly name: string; readonly path: string; readonly bytes: number }[];
  readonly apps: readonly AppInventory[];
  readonly modelFiles: readonly ModelFile[];
}

interface AppInventory {
  readonly name: string;
  readonly version: string;
  readonly path: string;
  readonly environmentBytes: number;
  /** null: no earlier version. */
  readonly previous: { readonly version: string; readonly bytes: number } | null;
  /** The files that the app has written. */
  readonly filesBytes: number;
  /** The files that resets have set aside, which can be undone for a day. */
  readonly resetBytes: number;
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
      const resets = (await readdir(dir).catch(() => [])).filter(isResetFolder);
      const [environmentBytes, previousBytes, filesBytes, ...resetBytes] = await Promise.all([
        inEnv(env),
        previous ? inEnv(previous.env) : 0,
        folderBytes(join(dir, 'files')),
        ...resets.map((name) => folderBytes(join(dir, name))),
      ]);
      const before = previous && { version: previous.app.version, bytes: previousBytes };
      const { name, version } = app;
      const sum = resetBytes.reduce((bytes, each) => bytes + each, 0);
      return [{ name, version, path: dir, environmentBytes, previous: before, filesBytes, resetBytes: sum }];
    }),
  );
  return apps.flat();
}

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

/** An endpoint that can be read, and its file. */
export interface RecordedEndpoint {
  readonly where: string;
  readonly record: EndpointRecord;
}

/** The endpoints of a data folder that can be read; the others have findings of their own. Never rejects. */
export async function readEndpointRecords(folder: string): Promise<RecordedEndpoint[]> {
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.json'));
  const read = names.map(async (name): Promise<RecordedEndpoint[]> => {
    const where = join(folder, name);
    const record = await readJsonFile(where, EndpointRecord).catch(() => null);
    return record === null ? [] : [{ where, record }];
  });
  return (await Promise.all(read)).flat();
}

/** The model files of a data folder, read without a daemon. Removing needs the folder's lock. */
export function storedModelFiles(paths: DataPaths): ModelInventory {
  return new ModelInventory({
    store: new ModelStore(paths.models, createLogger('error')),
    // A damaged endpoint uses nothing: its files can be downloaded again.
    users: async () => modelUsers((await readEndpointRecords(paths.endpoints)).map(({ record }) => record)),
    isBusy: () => false,
  });
}
