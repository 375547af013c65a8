import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { AppName } from '../../contract/apps/app-source.ts';
import { Timestamp } from '../../contract/common/common.ts';
import { readJsonFile } from '../../shared/files/json-file.ts';

const RUN_ID = /^[0-9a-f]{16}$/;
/** Marks a run in its folder as started. Without a record, the daemon ended during that run. */
export const BEGUN = 'begun.json';

const StartedRun = z.object({ runId: z.string(), appName: AppName, version: z.string(), startedAt: Timestamp });
export type StartedRun = z.infer<typeof StartedRun>;

/** @param dir see `DataPaths.runs`. @returns the names of the folders of runs in it, which are their ids */
export async function runFolders(dir: string): Promise<string[]> {
  const names = await readdir(dir).catch(() => []);
  return names.filter((name) => RUN_ID.test(name));
}

/** @param folder the folder of a run. @returns null when it has ended, or was never published */
export async function readStartedRun(folder: string): Promise<StartedRun | null> {
  return readJsonFile(join(folder, BEGUN), StartedRun).catch(() => null);
}

/** @param dir see `DataPaths.runs`. @returns the run during which its daemon ended; null: none. No daemon may run */
export async function interruptedRun(dir: string): Promise<StartedRun | null> {
  const started = await Promise.all((await runFolders(dir)).map((runId) => readStartedRun(join(dir, runId))));
  return started.filter((run) => run !== null).sort((a, b) => b.startedAt.localeCompare(a.startedAt))[0] ?? null;
}
