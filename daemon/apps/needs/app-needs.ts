import { join } from 'node:path';
import * as z from 'zod';
import type { InstalledApp } from '../../contract/apps/apps.ts';
import { servesTask } from '../../contract/apps/need-tasks.ts';
import { NeedName } from '../../contract/apps/needs.ts';
import { EndpointRef } from '../../contract/endpoints/endpoint.ts';
import { readStoredFile, writeJsonFile } from '../../shared/files/json-file.ts';
import type { Logger } from '../../shared/logger.ts';
import { AssignedEndpointNotFound, NeedNotFound, WrongTask } from './errors.ts';
import type { RunEndpoints } from './run-endpoints.ts';

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

interface AppNeedsDeps {
  readonly apps: {
    /** @throws AppNotInstalled */
    get(name: string): InstalledApp;
    /** @throws AppNotInstalled, StorageError */
    assign(name: string, need: string, endpoint: EndpointRef | null): Promise<void>;
  };
  readonly endpoints: Pick<RunEndpoints, 'find'>;
}

/** The endpoints that users assign to the needs of their apps. */
export class AppNeeds {
  readonly #deps: AppNeedsDeps;

  constructor(deps: AppNeedsDeps) {
    this.#deps = deps;
  }

  /**
   * Assigns an endpoint to a need, or none. Applies at the next start.
   * @param caller may use these namespaces; null: every one
   * @returns the app
   * @throws AppNotInstalled, NeedNotFound, AssignedEndpointNotFound, WrongTask, StorageError
   */
  async assign(
    appName: string,
    needName: string,
    endpoint: EndpointRef | null,
    { namespaces }: { readonly namespaces: readonly string[] | null },
  ): Promise<InstalledApp> {
    const { apps, endpoints } = this.#deps;
    const need = apps.get(appName).needs.find(({ name }) => name === needName);
    if (!need) throw new NeedNotFound(appName, needName);
    if (endpoint) {
      const mayUse = namespaces?.includes(endpoint.namespace) ?? true;
      const found = mayUse ? await endpoints.find(endpoint) : null;
      if (!found) throw new AssignedEndpointNotFound(endpoint);
      if (!servesTask(need.task, found.task)) throw new WrongTask(need, endpoint, found.task);
    }
    await apps.assign(appName, needName, endpoint);
    return apps.get(appName);
  }
}
