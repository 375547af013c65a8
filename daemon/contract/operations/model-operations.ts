import * as z from 'zod';
import { CatalogSourceStatus, ListModelsQuery, ModelDetail, ModelDownloads, ModelPage } from '../catalog/models.ts';
import { lineNumber } from '../common/common.ts';
import { EndpointDetail, EndpointListing, EndpointName, EndpointState, Namespace } from '../endpoints/endpoint.ts';
import { EndpointHistory } from '../endpoints/endpoint-history.ts';
import { EndpointLog, EndpointLogFile } from '../endpoints/endpoint-log.ts';
import { at, type Operation, refused } from './operation.ts';

const ofEndpoint = z.object({ namespace: Namespace, name: EndpointName });
const logFilter = {
  text: z.string().min(1).max(200).optional().describe('Only lines that contain this text, in upper or lower case'),
  errors: z.stringbool().optional().describe('Only lines that tell of errors'),
};
const noEndpoint = refused('No such endpoint');
const noEndpointForToken = refused('No such endpoint for this token');

/** Models and endpoints for the dashboard. */
export const modelOperations = {
  listModels: {
    ...at('GET /api/models', ModelPage),
    summary: 'A page of catalog models, with counts for each facet and whether they fit here',
    query: ListModelsQuery,
  },
  getModel: {
    ...at('GET /api/models/{author}/{model}', ModelDetail),
    summary: 'One model, with every considered recipe and offer and the reasons',
    params: z.object({ author: z.string().min(1).max(200), model: z.string().min(1).max(200) }),
    refusals: { 404: refused('The catalog has no such model') },
  },
  getModelDownloads: {
    ...at('GET /api/models/{author}/{model}/downloads', ModelDownloads),
    summary:
      'The download that a deploy of each recipe needs, and the free space; asks the hub for sizes, but not for long',
    params: z.object({ author: z.string().min(1).max(200), model: z.string().min(1).max(200) }),
    refusals: { 404: refused('The catalog has no such model') },
  },
  listOwnEndpoints: {
    ...at('GET /api/endpoints', EndpointListing),
    summary: 'A page of the endpoints of this daemon, newest first',
    query: z.object({
      namespace: z.string().max(64).optional().describe('Only the endpoints of this namespace'),
      name: z.string().max(32).optional().describe('Only the endpoints of this name, one in each namespace at most'),
      state: EndpointState.optional(),
      repository: z.string().max(400).optional().describe('Only the endpoints that serve this model, `owner/name`'),
      page: z.coerce.number().int().min(1).max(100_000).default(1),
      limit: z.coerce.number().int().min(1).max(100).default(25),
    }),
  },
  getOwnEndpoint: {
    ...at('GET /api/endpoints/{namespace}/{name}', EndpointDetail),
    summary: 'One endpoint with its current activity, its use and the events of its life',
    params: ofEndpoint,
    refusals: { 404: noEndpoint },
  },
  getEndpointHistory: {
    ...at('GET /api/endpoints/{namespace}/{name}/history', EndpointHistory),
    summary: 'The requests, the latency and the memory of an endpoint over the last hour',
    params: ofEndpoint,
    refusals: { 404: noEndpoint },
  },
  getEndpointLog: {
    ...at('GET /api/endpoints/{namespace}/{name}/log', EndpointLog),
    summary: 'The output of the processes that serve an endpoint; at most 1,000 lines, the newest by default',
    caller: 'deployer',
    params: ofEndpoint,
    query: z.object({
      after: lineNumber.optional().describe('Only lines after this number, the oldest of them'),
      before: z.coerce.number().int().min(1).optional().describe('Only lines before this number'),
      ...logFilter,
    }),
    refusals: { 404: noEndpointForToken },
  },
  getEndpointLogFile: {
    ...at('GET /api/endpoints/{namespace}/{name}/log/file', EndpointLogFile),
    summary:
      'Everything that is kept of the output of the processes of an endpoint, or the lines that are looked for, as a text file',
    caller: 'deployer',
    params: ofEndpoint,
    query: z.object(logFilter),
    refusals: { 404: noEndpointForToken },
  },
  getCatalogSource: {
    ...at('GET /api/catalog-source', CatalogSourceStatus),
    summary: 'The source of the catalog',
  },
  useRemoteCatalog: {
    saves: true,
    ...at('PUT /api/catalog-source', CatalogSourceStatus),
    summary: 'Use the catalog of another service, after it has answered; the token is saved encrypted',
    body: z.strictObject({
      url: z.string().min(1).max(1_000).describe('Ends in /api/v1'),
      token: z.string().min(1).max(500).optional(),
      dialect: z.enum(['specification', 'hub']).default('specification'),
    }),
    refusals: { 502: refused('The service failed; see the error') },
  },
  refreshCatalog: {
    ...at('POST /api/catalog-source/refresh', CatalogSourceStatus),
    summary: 'Refresh the remote catalog; replies when done, with a problem if it failed',
  },
  useShippedCatalog: {
    saves: true,
    ...at('DELETE /api/catalog-source', CatalogSourceStatus),
    summary: 'Use the built-in catalog, and remove the remote one with its token',
  },
} as const satisfies Record<string, Operation>;
