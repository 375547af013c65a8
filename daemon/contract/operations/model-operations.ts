import * as z from 'zod';
import { Accelerator, EngineType } from '../catalog/catalog.ts';
import { CatalogSourceStatus, ModelDetail, ModelPage } from '../catalog/models.ts';
import { EndpointListing, EndpointState } from '../endpoints/endpoint.ts';
import { Session } from '../session.ts';
import { badBody, badPath, badQuery, type Operation, refused } from './operation.ts';

const word = z.string().max(200).optional();

/** What the dashboard shows of models and endpoints, and who may deploy. */
export const modelOperations = {
  listModels: {
    method: 'GET',
    path: '/api/models',
    summary: 'Models of the catalog, a page of them, with how many match each facet and whether they fit here',
    query: z.object({
      search: z.string().max(200).default(''),
      task: word,
      license: word,
      accelerator: Accelerator.optional(),
      engine: EngineType.optional(),
      author: word,
      fits: z.stringbool().default(false).describe('Only models of which a recipe would run'),
      sort: z.enum(['newest', 'name', 'smallest']).default('newest'),
      page: z.coerce.number().int().min(1).max(100_000).default(1),
      limit: z.coerce.number().int().min(1).max(100).default(24),
    }),
    success: { status: 200, schema: ModelPage },
    refusals: { 400: badQuery },
  },
  getModel: {
    method: 'GET',
    path: '/api/models/{author}/{model}',
    summary: 'One model: every recipe and offer that was considered, and why or why not',
    params: z.object({ author: z.string().min(1).max(200), model: z.string().min(1).max(200) }),
    success: { status: 200, schema: ModelDetail },
    refusals: { 400: badPath, 404: refused('The catalog has no such model') },
  },
  listOwnEndpoints: {
    method: 'GET',
    path: '/api/endpoints',
    summary: 'All endpoints of this daemon, newest first, a page of them',
    query: z.object({
      name: z.string().max(32).optional().describe('That one only'),
      state: EndpointState.optional(),
      page: z.coerce.number().int().min(1).max(100_000).default(1),
      limit: z.coerce.number().int().min(1).max(100).default(25),
    }),
    success: { status: 200, schema: EndpointListing },
    refusals: { 400: badQuery },
  },
  getCatalogSource: {
    method: 'GET',
    path: '/api/catalog-source',
    summary: 'Where the catalog comes from',
    success: { status: 200, schema: CatalogSourceStatus },
  },
  useRemoteCatalog: {
    method: 'PUT',
    path: '/api/catalog-source',
    summary: 'Take the catalog from another service, once that has answered; the token is kept encrypted',
    body: z.strictObject({
      url: z.string().min(1).max(1_000).describe('Ends in /api/v1'),
      token: z.string().min(1).max(500).optional(),
      dialect: z.enum(['specification', 'hub']).default('specification'),
    }),
    success: { status: 200, schema: CatalogSourceStatus },
    refusals: {
      400: badBody,
      502: refused('The service does not answer as it should: the text says what is the matter'),
    },
  },
  refreshCatalog: {
    method: 'POST',
    path: '/api/catalog-source/refresh',
    summary: 'Read the remote catalog now; answers once that is over, with a problem if it failed',
    success: { status: 200, schema: CatalogSourceStatus },
  },
  useShippedCatalog: {
    method: 'DELETE',
    path: '/api/catalog-source',
    summary: 'Take the catalog that came with the daemon again, and forget the other and its token',
    success: { status: 200, schema: CatalogSourceStatus },
  },
  getSession: {
    method: 'GET',
    path: '/api/session',
    summary: 'Whether whoever asks may deploy',
    success: { status: 200, schema: Session },
  },
  signIn: {
    method: 'PUT',
    path: '/api/session',
    summary: "Show a token of this daemon's; the answer sets a cookie that stands for it until the daemon ends",
    body: z.strictObject({ token: z.string().min(1).max(500) }),
    success: { status: 200, schema: Session },
    refusals: { 400: badBody, 401: refused('The token is not known') },
  },
  signOut: {
    method: 'DELETE',
    path: '/api/session',
    summary: 'Forget the cookie',
    success: { status: 200, schema: Session },
  },
} as const satisfies Record<string, Operation>;
