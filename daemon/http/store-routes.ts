import type { Router } from 'express';
import type { AppStore } from '../apps/store/app-store.ts';
import type { HubToken } from '../hub/hub-token.ts';
import { serve } from './serve.ts';

export interface StoreServices {
  readonly store: AppStore;
  readonly hubToken: HubToken;
}

/** The hub's apps, and the account that they are seen with. */
export function storeRoutes(router: Router, { store, hubToken }: StoreServices): void {
  serve(router, 'listStore', ({ query }) => store.list(query));
  serve(router, 'refreshStore', () => store.refresh());
  serve(router, 'getStoreApp', ({ params }) => store.detail(`${params.owner}/${params.name}`));
  serve(router, 'getHubAccount', () => hubToken.read());
  serve(router, 'signInToHub', ({ body }) => hubToken.signIn(body.token));
  serve(router, 'signOutOfHub', () => hubToken.signOut());
}
