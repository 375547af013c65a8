import type { DaemonClient } from '../../../daemon/client/calls.ts';
import type { DeployConfig } from '../../../daemon/contract/endpoints/deploy.ts';
import type { SendCommand } from '../base/commands.ts';
import type { GetState, SetState } from '../base/slice.ts';
import { callSignedIn, namespaceOf, type SessionSlice } from '../daemon/session-slice.ts';
import type { CatalogSourceSlice } from './catalog-source-slice.ts';

export interface DeploySlice {
  /** The last name that was looked up; null: none yet. */
  readonly nameLookedUp: { readonly name: string; readonly taken: boolean } | null;
  /**
   * Finds out whether an endpoint has that name, in any namespace, once a pause in the typing tells that it is whole. What
   * names the service of a remote catalog has, it alone knows.
   */
  readonly lookUpName: (name: string) => void;
  /** Makes an endpoint of a recipe, once: a deploy is never repeated by itself. Answers whether it was made. */
  readonly deploy: (recipePublicId: string, config: DeployConfig) => Promise<boolean>;
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
      const query = { name, state: undefined, page: 1, limit: 1 };
      const { matches } = await daemon.call('listOwnEndpoints', { query, signal });
      if (!signal.aborted) set({ nameLookedUp: { name, taken: matches > 0 } });
    } catch {
      // The daemon says it again when it is asked to deploy.
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
    async deploy(recipePublicId, config) {
      const input = { params: { recipePublicId }, body: { namespace: namespaceOf(get()), config } };
      const call = () => callSignedIn(get, () => daemon.call('deployCatalogRecipe', input));
      return (await send('deploy', call)) !== null;
    },
  };
}
