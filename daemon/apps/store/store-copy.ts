import * as z from 'zod';
import { StoreApp } from '../../contract/apps/store.ts';
import { Timestamp } from '../../contract/common/common.ts';
import { readJsonFile, writeJsonFile } from '../../shared/files/json-file.ts';

/** The apps of the hub at its last complete read. */
const StoreCopy = z.object({ hub: z.string(), fetchedAt: Timestamp, apps: z.array(StoreApp) });
export type StoreCopy = z.infer<typeof StoreCopy>;

/** @returns null when there is no copy of this hub. @throws Error naming the file when it is damaged */
export async function readStoreCopy(file: string, hub: string): Promise<StoreCopy | null> {
  const copy = await readJsonFile(file, StoreCopy);
  return copy?.hub === hub ? copy : null;
}

export function writeStoreCopy(file: string, copy: StoreCopy): Promise<void> {
  return writeJsonFile(file, copy);
}
