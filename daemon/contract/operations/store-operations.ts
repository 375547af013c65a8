import * as z from 'zod';
import { SpaceId } from '../apps/app-source.ts';
import { HubAccount, StoreAppDetail, StorePage, StoreSort, StoreStatus } from '../apps/store.ts';
import { badBody, badPath, badQuery, type Operation, refused } from './operation.ts';

const spaceId = z
  .object({ owner: z.string().max(100), name: z.string().max(100) })
  .refine(({ owner, name }) => SpaceId.safeParse(`${owner}/${name}`).success, 'not the name of a repository');

/** The apps that the hub offers, and the account that they are seen with. */
export const storeOperations = {
  listStore: {
    method: 'GET',
    path: '/api/apps/store',
    summary: "The hub's apps, from the copy on this machine, which is renewed meanwhile when it is old",
    query: z.object({
      search: z.string().max(200).default('').describe('Words that id, title, description or author hold, all of them'),
      sort: StoreSort.default('popular'),
      page: z.coerce.number().int().min(1).max(10_000).default(1),
      limit: z.coerce.number().int().min(1).max(100).default(24),
    }),
    success: { status: 200, schema: StorePage },
    refusals: { 400: badQuery },
  },
  refreshStore: {
    method: 'POST',
    path: '/api/apps/store/refresh',
    summary: 'Read the hub now; answers once that is over, with a problem if it failed',
    success: { status: 200, schema: StoreStatus },
  },
  getStoreApp: {
    method: 'GET',
    path: '/api/apps/store/{owner}/{name}',
    summary: 'One app of the hub: its README, size and needs, read now',
    params: spaceId,
    success: { status: 200, schema: StoreAppDetail },
    refusals: {
      400: badPath,
      404: refused('The hub has no such app, or the token may not see it'),
      502: refused('The hub does not answer as it should: the text says what is the matter'),
    },
  },
  getHubAccount: {
    method: 'GET',
    path: '/api/hub',
    summary: 'Which hub, and who is signed in to it',
    success: { status: 200, schema: HubAccount },
  },
  signInToHub: {
    method: 'PUT',
    path: '/api/hub/token',
    summary: 'Keep a token of the hub, encrypted, after the hub has said whose it is; it is never shown again',
    body: z.strictObject({ token: z.string().min(1).max(500) }),
    success: { status: 200, schema: HubAccount },
    refusals: {
      400: { ...badBody, description: 'Not a token, or one that the hub does not know' },
      502: refused('The hub does not answer as it should: the text says what is the matter'),
    },
  },
  signOutOfHub: {
    method: 'DELETE',
    path: '/api/hub/token',
    summary: 'Forget the token',
    success: { status: 200, schema: HubAccount },
  },
} as const satisfies Record<string, Operation>;
