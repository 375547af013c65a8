import { rm } from 'node:fs/promises';
import * as z from 'zod';
import { writeJsonFile } from '../../shared/files/json-file.ts';
import { readKeptFile } from '../../shared/files/kept-file.ts';
import type { Logger } from '../../shared/logger.ts';
import { baseAddress } from './base-address.ts';

/** Whose words a service uses for what the specification calls otherwise. */
const Dialect = z.enum(['specification', 'hub']);
export type Dialect = z.infer<typeof Dialect>;

/** Which catalog service is used, and the token for it and for no other, encrypted; null: there is none. */
const RemoteChoice = z.object({
  base: z.string().refine((base) => baseAddress(base) === base),
  dialect: Dialect,
  sealedToken: z.string().nullable(),
});
export type RemoteChoice = z.infer<typeof RemoteChoice>;

/** @returns null: none was chosen, or what was kept is damaged */
export async function readRemoteChoice(file: string, log: Logger): Promise<RemoteChoice | null> {
  return (await readKeptFile(file, RemoteChoice, log)).value;
}

/** Replaces in one step what was chosen before; null: nothing is. */
export async function writeRemoteChoice(file: string, choice: RemoteChoice | null): Promise<void> {
  if (choice) await writeJsonFile(file, choice);
  else await rm(file, { force: true });
}
