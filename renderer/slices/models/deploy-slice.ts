import type { DaemonClient } from '../../../daemon/client/calls.ts';
import type { DeployConfig } from '../../../daemon/contract/endpoints/deploy.ts';
import type { SendCommand } from '../base/commands.ts';
import type { GetState, SetState } from '../base/slice.ts';
import { callSignedIn, namespaceOf, type SessionSlice } from '../daemon/session-slice.ts';
import type { CatalogSourceSlice } from './catalog-source-slice.ts';

export interface DeploySlice {
  /** The last name looked up; null: none. */
  readonly nameLookedUp: { readonly name: string; readonly taken: boolean } | null;
  /**
   * Looks up whether an endpoint of any namespace has that name, after a pause in typing. Does nothing with a remote
   * catalog, whose endpoints are not listed here.
   */
  readonly lookUpName: (name: string) => void;
  /** Creates an endpoint from a recipe; never retries. @returns whether it was created */
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
      // The deploy itself reports a taken name.
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
