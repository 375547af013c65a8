import type { InstalledApp } from '../../contract/apps/apps.ts';
import { servesTask } from '../../contract/apps/need-tasks.ts';
import type { EndpointRef } from '../../contract/endpoints/endpoint.ts';
import { AssignedEndpointNotFound, NeedNotFound, WrongTask } from './errors.ts';
import type { RunEndpoints } from './run-endpoints.ts';

export interface AppNeedsDeps {
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
