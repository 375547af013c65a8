import type { Router } from 'express';
import type { AppStore } from '../apps/store/app-store.ts';
import type { HubSignIn } from '../hub/hub-sign-in.ts';
import { serve } from './serve.ts';

export interface StoreServices {
  readonly store: AppStore;
  readonly hubSignIn: HubSignIn;
}

/** The hub's apps, and the account that they are seen with. */
export function storeRoutes(router: Router, { store, hubSignIn }: StoreServices): void {
  serve(router, 'listStore', ({ query }) => store.list(query));
  serve(router, 'refreshStore', () => store.refresh());
  serve(router, 'getStoreApp', ({ params }) => store.detail(`${params.owner}/${params.name}`));
  serve(router, 'getHubAccount', () => hubSignIn.account());
  serve(router, 'signInToHub', ({ body }) => hubSignIn.signIn(body.token));
  serve(router, 'signOutOfHub', () => hubSignIn.signOut());
}
