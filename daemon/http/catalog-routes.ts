import type { Router } from 'express';
import { accountOf } from '../access/caller.ts';
import type { ChosenCatalog } from '../catalog/remote/chosen-catalog.ts';
import { operations } from '../contract/operations.ts';
import type { Deployer } from '../endpoints/deployer.ts';
import { callerFor } from './caller.ts';
import { sendCatalogList } from './catalog-list-reply.ts';
import { parseQuery, serve } from './serve.ts';

export interface CatalogServices {
  readonly catalog: ChosenCatalog;
  readonly deployer: Deployer;
}

/** The catalog service, and what older clients ask of it. */
export function catalogRoutes(router: Router, { catalog, deployer }: CatalogServices): void {
  router.get(operations.listCatalogItems.path, async (request, response) => {
    const query = parseQuery('listCatalogItems', request);
    await sendCatalogList(response, (await catalog.load()).listReply(query));
  });
  serve(router, 'deployCatalogModel', async ({ params, body }, { request }) => ({
    endpoint: await deployer.deployModel(params.author, params.model, body, callerFor(request)),
  }));
  serve(router, 'deployCatalogRecipe', async ({ params, body }, { request }) => ({
    endpoint: await deployer.deployRecipe(params.recipePublicId, body, callerFor(request)),
  }));

  serve(router, 'listCatalogRepositories', async () => ({ models: await (await catalog.load()).repositories() }));
  serve(router, 'deployCatalogRepository', async ({ body }, { request }) => ({
    endpoint: await deployer.deployRepository(body, callerFor(request)),
  }));
  serve(router, 'whoAmI', (_input, { request }) => accountOf(callerFor(request)));
}
