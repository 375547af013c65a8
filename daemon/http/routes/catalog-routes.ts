import { accountOf } from '../../access/caller.ts';
import type { ChosenCatalog } from '../../catalog/remote/chosen-catalog.ts';
import type { Deployer } from '../../endpoints/deployer.ts';
import { sendCatalogList } from './catalog-list-reply.ts';
import type { Routes } from './serve-operations.ts';

export interface CatalogServices {
  readonly catalog: ChosenCatalog;
  readonly deployer: Deployer;
}

/** The catalog, and the paths of older clients. */
export function catalogRoutes({ catalog, deployer }: CatalogServices) {
  return {
    listCatalogItems: async ({ query }) => {
      const loaded = await catalog.load();
      const list = await loaded.listReply(query);
      return (response) => sendCatalogList(response, list);
    },
    deployCatalogModel: async ({ params, body, caller }) => ({
      endpoint: await deployer.deployModel(params.author, params.model, body, caller),
    }),
    deployCatalogRecipe: async ({ params, body, caller }) => ({
      endpoint: await deployer.deployRecipe(params.recipePublicId, body, caller),
    }),

    listCatalogRepositories: async () => ({ models: await (await catalog.load()).repositories() }),
    deployCatalogRepository: async ({ body, caller }) => ({ endpoint: await deployer.deployRepository(body, caller) }),
    whoAmI: ({ caller }) => accountOf(caller),
  } satisfies Partial<Routes>;
}
