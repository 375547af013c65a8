import type { Router } from 'express';
import type { Models } from '../catalog/models.ts';
import type { ChosenCatalog } from '../catalog/remote/chosen-catalog.ts';
import type { Endpoints } from '../endpoints/endpoints.ts';
import { serve } from './serve.ts';

export interface ModelServices {
  readonly models: Models;
  readonly catalog: ChosenCatalog;
  readonly endpoints: Endpoints;
}

/** What the dashboard shows of models and endpoints. */
export function modelRoutes(router: Router, { models, catalog, endpoints }: ModelServices): void {
  serve(router, 'listModels', ({ query }) => models.list(query));
  serve(router, 'getModel', ({ params }) => models.detail(params.author, params.model));
  serve(router, 'listOwnEndpoints', ({ query }) => endpoints.listing(query));
  serve(router, 'getCatalogSource', () => catalog.status);
  serve(router, 'useRemoteCatalog', ({ body }) => catalog.use(body));
  serve(router, 'refreshCatalog', () => catalog.refresh());
  serve(router, 'useShippedCatalog', () => catalog.useShipped());
}
