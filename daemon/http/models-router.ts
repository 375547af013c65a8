import { Router } from 'express';
import { type CatalogServices, catalogRoutes } from './catalog-routes.ts';
import { type EndpointServices, endpointRoutes } from './endpoint-routes.ts';
import { type ModelServices, modelRoutes } from './model-routes.ts';

export type ModelsServices = CatalogServices & EndpointServices & ModelServices;

/** Everything about models: the catalog service, endpoints, and what the dashboard shows of both. */
export function modelsRouter(services: ModelsServices): Router {
  const router = Router({ caseSensitive: true });
  catalogRoutes(router, services);
  endpointRoutes(router, services);
  modelRoutes(router, services);
  return router;
}
