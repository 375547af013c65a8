import type { DaemonClient } from '../../../daemon/client/calls.ts';
import { DaemonError } from '../../../daemon/client/daemon-error.ts';
import type { DeployConfig } from '../../../daemon/contract/endpoints/deploy.ts';
import type { EndpointChange } from '../../../daemon/contract/endpoints/endpoint-request.ts';
import { asDaemonError } from '../../api/daemon-error.ts';
import type { SendCommand } from '../base/commands.ts';
import type { GetState, SetState } from '../base/slice.ts';
import { callSignedIn, namespaceOf, type SessionSlice } from '../daemon/session-slice.ts';
import type { CatalogSourceSlice } from './catalog-source-slice.ts';

export interface DeploySlice {
  /** The last name looked up; null: none. */
  readonly nameLookedUp: { readonly name: string; readonly taken: boolean } | null;
  /**
   * Looks up whether an endpoint of the user's namespace has that name, after a pause in typing. Does nothing with a remote
   * catalog, whose endpoints are not listed here.
   */
  readonly lookUpName: (name: string) => void;
  /**
   * Creates an endpoint from a recipe, then switches its notifications on; never retries.
   * @returns whether it was created, with the notifications
   */
  readonly deploy: (
    recipePublicId: string,
    config: DeployConfig,
    notifications?: NonNullable<EndpointChange['notifications']>,
  ) => Promise<boolean>;
}

const TYPING_MS = 250;

export function createDeploySlice(
  set: SetState<DeploySlice>,
  get: GetState<SessionSlice & CatalogSourceSlice>,
  send: SendCommand,
  daemon: DaemonClient,
): DeploySlice {
  let typing: ReturnType<typeof setTimeout> | undefined;
  let lookup = new AbortController();
  async function lookUp(name: string, signal: AbortSignal): Promise<void> {
    try {
      const query = { namespace: namespaceOf(get()), name, state: undefined, page: 1, limit: 1 };
      const { matches } = await daemon.call('listOwnEndpoints', { query, signal });
      if (!signal.aborted) set({ nameLookedUp: { name, taken: matches > 0 } });
    } catch {
      // The deploy itself reports a taken name.
    }
  }
  /** The config of a deploy has no notifications: they are a change of the endpoint. */
  async function switchOn(name: string, notifications: EndpointChange['notifications']): Promise<void> {
    const params = { namespace: namespaceOf(get()), name };
    try {
      await daemon.call('updateEndpoint', { params, body: { notifications } });
    } catch (error) {
      const { status, message, issues } = asDaemonError(error);
      const what = `The endpoint "${name}" is deployed, but its notifications are not switched on: ${message}`;
      throw new DaemonError(status, what, issues, error);
    }
  }
  return {
    nameLookedUp: null,
    lookUpName(name) {
      clearTimeout(typing);
      lookup.abort();
      lookup = new AbortController();
      const { signal } = lookup;
      if (get().catalogSource?.kind === 'remote') return set({ nameLookedUp: null });
      typing = setTimeout(() => void lookUp(name, signal), TYPING_MS);
    },
    async deploy(recipePublicId, config, notifications) {
      const input = { params: { recipePublicId }, body: { namespace: namespaceOf(get()), config } };
      const call = async () => {
        const { endpoint } = await daemon.call('deployCatalogRecipe', input);
        if (notifications) await switchOn(endpoint.name, notifications);
        return endpoint;
      };
      return (await send('deploy', () => callSignedIn(get, call))) !== null;
    },
  };
}
