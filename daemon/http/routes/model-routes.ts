import type { Models } from '../../catalog/models.ts';
import type { ChosenCatalog } from '../../catalog/remote/chosen-catalog.ts';
import type { Endpoints } from '../../endpoints/endpoints.ts';
import type { Routes } from './serve-operations.ts';

export interface ModelServices {
  readonly models: Models;
  readonly catalog: ChosenCatalog;
  readonly endpoints: Endpoints;
}

/** Models, endpoints and the catalog's source for the dashboard. */
export function modelRoutes({ models, catalog, endpoints }: ModelServices) {
  return {
    listModels: ({ query }) => models.list(query),
    getModel: ({ params }) => models.detail(params.author, params.model),
    listOwnEndpoints: ({ query }) => endpoints.listing(query),
    getCatalogSource: () => catalog.status,
    useRemoteCatalog: ({ body }) => catalog.use(body),
    refreshCatalog: () => catalog.refresh(),
    useShippedCatalog: () => catalog.useShipped(),
  } satisfies Partial<Routes>;
}
