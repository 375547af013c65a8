import type { AppReadmes } from '../../apps/app-readmes.ts';
import type { AppStore } from '../../apps/app-store.ts';
import type { HubSignIn } from '../../hub/hub-sign-in.ts';
import type { Routes } from './serve-operations.ts';

export interface StoreServices {
  readonly store: AppStore;
  readonly readmes: AppReadmes;
  readonly hubSignIn: HubSignIn;
}

/** The hub's apps, and the account that sees them. */
export function storeRoutes({ store, readmes, hubSignIn }: StoreServices) {
  return {
    listStore: ({ query }) => store.list(query),
    refreshStore: () => store.refresh(),
    getStoreApp: ({ params }) => store.detail(`${params.owner}/${params.name}`),
    getStoreAppImage: ({ params, query }) =>
      readmes.storeImage(`${params.owner}/${params.name}`, query.commit, query.path),
    getHubAccount: () => hubSignIn.account(),
    signInToHub: ({ body }) => hubSignIn.signIn(body.token),
    signOutOfHub: () => hubSignIn.signOut(),
  } satisfies Partial<Routes>;
}
