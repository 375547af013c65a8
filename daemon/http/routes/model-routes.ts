import type { ChosenCatalog } from '../../catalog/remote/chosen-catalog.ts';
import type { Models } from '../../catalog/selection/models.ts';
import type { ModelDownloads } from '../../contract/catalog/models.ts';
import type { OwnEndpoints } from '../../endpoints/own-endpoints.ts';
import { endpointReplies } from './endpoint-routes.ts';
import type { Routes } from './serve-operations.ts';

export interface ModelServices {
  readonly models: Models;
  readonly downloads: (author: string, model: string) => Promise<ModelDownloads>;
  readonly catalog: ChosenCatalog;
  readonly ownEndpoints: OwnEndpoints;
  readonly canMail: () => boolean;
}

/** Models, endpoints and the catalog's source for the dashboard. */
export function modelRoutes({ models, downloads, catalog, ownEndpoints, canMail }: ModelServices) {
  const endpointReply = endpointReplies(canMail);
  return {
    listModels: ({ query }) => models.list(query),
    getModel: ({ params }) => models.detail(params.author, params.model),
    getModelDownloads: ({ params }) => downloads(params.author, params.model),
    listOwnEndpoints: async ({ query }, { request }) => {
      const { endpoints, ...page } = await ownEndpoints.list(query);
      return {
        endpoints: endpoints.map(({ endpoint, ...rest }) => ({
          ...rest,
          endpoint: endpointReply(endpoint, rest.namespace, request),
        })),
        ...page,
      };
    },
    getOwnEndpoint: async ({ params: { namespace, name } }, { request }) => {
      const { endpoint, ...rest } = await ownEndpoints.detail(namespace, name);
      return { ...rest, endpoint: endpointReply(endpoint, namespace, request) };
    },
    getEndpointHistory: ({ params: { namespace, name } }) => ownEndpoints.history(namespace, name),
    getCatalogSource: () => catalog.status,
    useRemoteCatalog: ({ body }) => catalog.use(body),
    refreshCatalog: () => catalog.refresh(),
    useShippedCatalog: () => catalog.useShipped(),
  } satisfies Partial<Routes>;
}
