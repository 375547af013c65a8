import * as z from 'zod';
import { Accelerator, CatalogList, CatalogQuery } from '../catalog/catalog.ts';
import { Deployed, ModelDeploy, RecipeDeploy, RemoteDeployed } from '../endpoints/deploy.ts';
import { EndpointName, Namespace } from '../endpoints/endpoint.ts';
import { Repository } from '../endpoints/endpoint-model.ts';
import { at, type Operation, refused } from './operation.ts';

const deployRefusals = {
  404: refused('No such catalog item, recipe or model'),
  409: refused('No compatible compute found for the model'),
  502: refused('The remote catalog failed; no endpoint was created'),
  504: refused('The remote catalog did not answer; whether the endpoint was created is unknown'),
};

/** The catalog service, version 1.0.0. */
export const catalogOperations = {
  listCatalogItems: {
    ...at('GET /api/v1/catalog/list', CatalogList, { isConditional: true }),
    summary: 'Deployable models and their recipes, newest first; filters combine with AND',
    query: CatalogQuery,
  },
  deployCatalogModel: {
    saves: true,
    ...at('POST /api/v1/catalog/model/{author}/{model}/deploy', Deployed, { relayed: RemoteDeployed }),
    summary: 'Create an endpoint of a model, with the most suitable recipe and compute',
    caller: 'deployer',
    params: z.object({ author: z.string().min(1).max(200), model: z.string().min(1).max(200) }),
    body: ModelDeploy,
    refusals: deployRefusals,
  },
  deployCatalogRecipe: {
    saves: true,
    ...at('POST /api/v1/catalog/recipe/{recipePublicId}/deploy', Deployed, { relayed: RemoteDeployed }),
    summary: 'Create an endpoint of one recipe',
    caller: 'deployer',
    params: z.object({ recipePublicId: z.string().min(1).max(500) }),
    body: RecipeDeploy,
    refusals: deployRefusals,
  },
} as const satisfies Record<string, Operation>;

const RepositoryDeploy = z.strictObject({
  namespace: Namespace,
  repoId: Repository,
  endpointName: EndpointName.nullable().optional(),
  accelerator: Accelerator.nullable().optional(),
});
export type RepositoryDeploy = z.infer<typeof RepositoryDeploy>;

/** The account of a token, in the format of the hub's clients. */
const Account = z.strictObject({
  type: z.literal('user'),
  id: z.string(),
  name: z.string(),
  fullname: z.string(),
  orgs: z.array(z.strictObject({ name: z.string() })),
});
export type Account = z.infer<typeof Account>;

/** Further operations for the hub's clients: the catalog's older paths, and the account of a token. */
export const olderCatalogOperations = {
  listCatalogRepositories: {
    ...at('GET /api/catalog/repo-list', z.strictObject({ models: z.array(z.string()) })),
    summary: 'The repositories of all deployable models, newest first',
  },
  deployCatalogRepository: {
    saves: true,
    ...at('POST /api/catalog/deploy', Deployed, { relayed: RemoteDeployed }),
    summary: 'Create an endpoint of a model, for older clients',
    caller: 'deployer',
    body: RepositoryDeploy,
    refusals: { ...deployRefusals, 404: refused('No such catalog item') },
  },
  whoAmI: {
    ...at('GET /api/whoami-v2', Account),
    summary: 'The account of the token; `name` is its default namespace',
    caller: 'deployer',
  },
} as const satisfies Record<string, Operation>;
