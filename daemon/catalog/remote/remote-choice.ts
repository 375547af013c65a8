import { rm } from 'node:fs/promises';
import * as z from 'zod';
import { readStoredFile, writeJsonFile } from '../../shared/files/json-file.ts';
import { InvalidBody } from '../../shared/invalid-input.ts';
import type { Logger } from '../../shared/logger.ts';
import { addressProblem } from '../../shared/net/web-address.ts';

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

/** The end of every catalog service's base address. */
const PREFIX = '/api/v1';

/**
 * Normalizes the base address of a catalog service, which ends in `/api/v1`. A token is stored for exactly this text.
 * @throws InvalidBody for an unusable address
 */
export function baseAddress(given: string): string {
  const address = given.trim();
  const problem = addressProblem(address, { hubOrigin: '' }) ?? shapeProblem(new URL(address));
  if (problem !== null) throw new InvalidBody(problem, [{ path: ['url'], message: problem }]);
  return new URL(address).href.replace(/\/+$/, '');
}

function shapeProblem({ href, pathname }: URL): string | null {
  if (/[?#]/.test(href)) return 'The address has more after its path. Remove the part that begins with ? or #.';
  return pathname.replace(/\/+$/, '').endsWith(PREFIX) ? null : `The address does not end in ${PREFIX}.`;
}
