import type { Request, Router } from 'express';
import { mayUse, namespaceOf } from '../access/caller.ts';
import { inSteps } from '../catalog/in-steps.ts';
import type { ChosenCatalog } from '../catalog/remote/chosen-catalog.ts';
import { operations } from '../contract/operations.ts';
import type { Deployer, Deploying } from '../endpoints/deployer.ts';
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
    endpoint: await deployer.deployModel(params.author, params.model, body, deploying(request)),
  }));
  serve(router, 'deployCatalogRecipe', async ({ params, body }, { request }) => ({
    endpoint: await deployer.deployRecipe(params.recipePublicId, body, deploying(request)),
  }));

  serve(router, 'listCatalogRepositories', async () => {
    const { entries } = await catalog.load();
    const models: string[] = [];
    await inSteps(entries, ({ item }) => void models.push(item.repoId));
    return { models };
  });
  serve(router, 'deployCatalogRepository', async ({ body }, { request }) => {
    const { namespace, repoId, endpointName, accelerator } = body;
    const [author = '', model = ''] = repoId.split('/');
    const wanted = {
      namespace,
      ...(accelerator ? { accelerator } : {}),
      ...(endpointName ? { config: { name: endpointName } } : {}),
    };
    return { endpoint: await deployer.deployModel(author, model, wanted, deploying(request)) };
  });
  serve(router, 'whoAmI', (_input, { request }) => {
    const caller = callerFor(request);
    const name = namespaceOf(caller);
    const orgs = caller.namespaces?.filter((namespace) => namespace !== name) ?? [];
    return { type: 'user', id: caller.id, name, fullname: caller.name, orgs: orgs.map((org) => ({ name: org })) };
  });
}

function deploying(request: Request): Deploying {
  const caller = callerFor(request);
  const { id, name } = caller;
  return { person: { id, name }, mayUse: (namespace) => mayUse(caller, namespace) };
}
