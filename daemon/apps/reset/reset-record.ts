import { readdir, rename, rm } from 'node:fs/promises';
import { join, sep } from 'node:path';
import * as z from 'zod';
import { VariableName } from '../../contract/apps/apps.ts';
import { Timestamp } from '../../contract/common/common.ts';
import type { Now } from '../../shared/clock.ts';
import { readStoredFile, writeJsonFile } from '../../shared/files/json-file.ts';
import { asideName } from '../../shared/files/set-aside.ts';
import { savingIn } from '../../shared/files/storage-errors.ts';
import type { Logger } from '../../shared/logger.ts';

/** Its name in the folder of an app. */
export const RESET_FILE = 'reset.json';

const FOLDER = /^reset-[0-9a-f]{12}$/;
/** Whether a folder of an app is one that a reset sets things aside in. */
export const isResetFolder = (name: string): boolean => FOLDER.test(name);

const KEPT_FOLDER = /^reset-[0-9a-f]{12}(?:\.damaged-|$)/;
/** The same, or one whose record is lost and that is kept under another name. */
export const hasSetAside = (name: string): boolean => KEPT_FOLDER.test(name);

/** A path that stays in the folder that it starts from. On Unix a backslash is a part of a name, as in `..\mood.json`. */
const InnerPath = z
  .string()
  .refine((path) => !path.split(sep === '/' ? '/' : /[\\/]/).includes('..'), 'it leads out of its folder');

/** One reset of an app. */
export const StoredReset = z.object({
  /** The folder beside the app's own in which everything is set aside. */
  folder: z.string().regex(FOLDER),
  at: Timestamp,
  version: z.string(),
  /** The live environment at that time. */
  env: z.string().regex(/^[0-9a-f]+$/),
  files: z.int(),
  bytes: z.int(),
  /** There were more files than were counted. */
  more: z.literal(true).optional(),
  variables: z.array(VariableName),
  /** The folder of packages, from the folder of the app. */
  packages: InnerPath,
  /** The files beside the code, from there. */
  besideCode: z.array(InnerPath),
});
export type StoredReset = z.infer<typeof StoredReset>;

/** For how long a reset can be undone. */
export const KEPT_MS = 24 * 60 * 60_000;

/** When an app was reset, and until when that can be undone. */
export function timesOf({ at }: Pick<StoredReset, 'at'>): { readonly at: string; readonly until: string } {
  return { at, until: new Date(Date.parse(at) + KEPT_MS).toISOString() };
}

/** The resets of an app. Replacing this file is what makes a reset, or its undo, whole. */
export const StoredResets = z.object({
  /** The last one, which can be undone. */
  done: StoredReset.nullable(),
  /** Everything of this one goes back to its place: a reset that is not finished, or an undo. */
  moving: StoredReset.nullable(),
});
export type StoredResets = z.infer<typeof StoredResets>;

/** Without a record, and with a damaged one, there is no reset. @throws StorageError */
export async function readResets(folder: string, log: Pick<Logger, 'error'>): Promise<StoredResets> {
  const { value } = await readStoredFile(join(folder, RESET_FILE), StoredResets, log);
  return value ?? { done: null, moving: null };
}

/**
 * The same, while nothing else works with the resets of the app. Folders whose record is lost are renamed and kept: they
 * may hold the only copy of something.
 */
export async function readResetsToChange(
  folder: string,
  { now, log }: { readonly now: Now; readonly log: Pick<Logger, 'error'> },
): Promise<StoredResets> {
  const resets = await readResets(folder, log);
  if (resets.done || resets.moving) return resets;
  for (const name of (await readdir(folder)).filter(isResetFolder)) {
    const path = join(folder, name);
    log.error(`apps: ${path} belongs to no reset, and is kept under another name`);
    await savingIn(folder, () => rename(path, asideName(path, now())));
  }
  return resets;
}

/** @throws StorageError */
export async function writeResets(folder: string, resets: StoredResets): Promise<void> {
  const path = join(folder, RESET_FILE);
  if (resets.done || resets.moving) await writeJsonFile(path, resets);
  else await savingIn(folder, () => rm(path, { force: true }));
}
