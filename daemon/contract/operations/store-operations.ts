import * as z from 'zod';
import { Commit, SpaceId } from '../apps/app-source.ts';
import { ReadmeImage, RepositoryPath } from '../apps/readme.ts';
import { HubAccount, StoreAppDetail, StorePage, StoreSort, StoreStatus } from '../apps/store.ts';
import { imageRefusals } from './app-operations.ts';
import { at, badBody, type Operation, refused } from './operation.ts';

const spaceId = z
  .object({ owner: z.string().max(100), name: z.string().max(100) })
  .refine(({ owner, name }) => SpaceId.safeParse(`${owner}/${name}`).success, 'not the name of a repository');

/** The hub's apps and the hub account. */
export const storeOperations = {
  listStore: {
    ...at('GET /api/apps/store', StorePage),
    summary: "The hub's apps from this machine's copy; an old copy is refreshed in the background",
    query: z.object({
      search: z.string().max(200).default('').describe('Words that must all occur in id, title, description or author'),
      sort: StoreSort.default('popular'),
      page: z.coerce.number().int().min(1).max(10_000).default(1),
      limit: z.coerce.number().int().min(1).max(100).default(24),
    }),
  },
  refreshStore: {
    ...at('POST /api/apps/store/refresh', StoreStatus),
    summary: 'Refresh the copy; replies when done, with a problem if it failed',
  },
  getStoreApp: {
    ...at('GET /api/apps/store/{owner}/{name}', StoreAppDetail),
    summary: 'One app of the hub, read now: README, size and dependencies',
    params: spaceId,
    refusals: {
      404: refused('The hub has no such app, or the token may not see it'),
      502: refused('The hub failed; see the error'),
    },
  },
  getStoreAppImage: {
    ...at('GET /api/apps/store/{owner}/{name}/image', ReadmeImage),
    summary: "An image of an app's repository on the hub, for its README",
    params: spaceId,
    query: z.object({ path: RepositoryPath, commit: Commit }),
    refusals: { 404: refused('The hub has no such file'), ...imageRefusals },
  },
  getHubAccount: {
    ...at('GET /api/hub', HubAccount),
    summary: 'The hub, and the account that is signed in',
  },
  signInToHub: {
    saves: true,
    ...at('PUT /api/hub/token', HubAccount),
    summary: 'Sign in with a token of the hub, which verifies it; the token is saved encrypted and never shown again',
    body: z.strictObject({ token: z.string().min(1).max(500) }),
    refusals: {
      400: { ...badBody, description: 'Not a valid token of the hub' },
      502: refused('The hub failed; see the error'),
    },
  },
  signOutOfHub: {
    saves: true,
    ...at('DELETE /api/hub/token', HubAccount),
    summary: 'Sign out of the hub',
  },
} as const satisfies Record<string, Operation>;
