import { join } from 'node:path';
import * as z from 'zod';
import { NeedName } from '../../contract/apps/needs.ts';
import { EndpointRef } from '../../contract/endpoints/endpoint.ts';
import { readStoredFile, writeJsonFile } from '../../shared/files/json-file.ts';
import type { Logger } from '../../shared/logger.ts';

/** Its name in the folder of an app. */
export const NEEDS_FILE = 'needs.json';

/** The file of an app's assigned endpoints, `needs.json`. */
export const StoredNeeds = z.object({ needs: z.array(z.object({ name: NeedName, endpoint: EndpointRef })) });

/** The endpoints of an app by need. */
export type Assignments = ReadonlyMap<string, EndpointRef>;

/**
 * Reads the endpoints that a user assigned to the needs of an app. A file that is damaged or cannot be read leaves none;
 * the app then asks for them at its start.
 * @param folder the app's
 */
export async function readAssignments(folder: string, log: Logger): Promise<Assignments> {
  const path = join(folder, NEEDS_FILE);
  const { value } = await readStoredFile(path, StoredNeeds, log).catch((error: unknown) => {
    log.error(`apps: ${path} cannot be read`, error);
    return { value: null };
  });
  return new Map(value?.needs.map(({ name, endpoint }) => [name, endpoint]));
}

/** @throws StorageError */
export async function writeAssignments(folder: string, assignments: Assignments): Promise<void> {
  const stored: z.infer<typeof StoredNeeds> = {
    needs: [...assignments].map(([name, endpoint]) => ({ name, endpoint })),
  };
  await writeJsonFile(join(folder, NEEDS_FILE), stored);
}
