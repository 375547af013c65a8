import { rm } from 'node:fs/promises';
import * as z from 'zod';
import { readStoredFile, writeJsonFile } from '../../shared/files/json-file.ts';
import type { Logger } from '../../shared/logger.ts';
import { baseAddress } from './base-address.ts';

/** The names that a service uses: the specification's, or the hub's where they differ. */
const Dialect = z.enum(['specification', 'hub']);
export type Dialect = z.infer<typeof Dialect>;

/** The chosen catalog service, and the encrypted token for it alone; null: no token. */
export const RemoteChoice = z.object({
  base: z.string().refine(isBaseAddress),
  dialect: Dialect,
  sealedToken: z.string().nullable(),
});
export type RemoteChoice = z.infer<typeof RemoteChoice>;

function isBaseAddress(text: string): boolean {
  try {
    return baseAddress(text) === text;
  } catch {
    return false;
  }
}

/** @returns null when no service was chosen, or the file is damaged or cannot be read */
export async function readRemoteChoice(file: string, log: Logger): Promise<RemoteChoice | null> {
  const stored = await readStoredFile(file, RemoteChoice, log).catch((error: unknown) => {
    log.error('catalog: the chosen catalog could not be read; the shipped one is used', error);
    return null;
  });
  return stored?.value ?? null;
}

/** Replaces the stored choice atomically; null removes it. */
export async function writeRemoteChoice(file: string, choice: RemoteChoice | null): Promise<void> {
  if (choice) await writeJsonFile(file, choice);
  else await rm(file, { force: true });
}
