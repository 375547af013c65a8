import * as z from 'zod';
import { Accelerator } from '../catalog/catalog.ts';
import { Deployed, RemoteDeployed } from '../endpoints/deploy.ts';
import { EndpointName, Namespace } from '../endpoints/endpoint.ts';
import { Repository } from '../endpoints/endpoint-model.ts';
import { badBody, type Operation, refused, unauthorized } from './operation.ts';

const RepositoryDeploy = z.strictObject({
  namespace: Namespace,
  repoId: Repository,
  endpointName: EndpointName.nullable().optional(),
  accelerator: Accelerator.nullable().optional(),
});
export type RepositoryDeploy = z.infer<typeof RepositoryDeploy>;

/** The account that a token belongs to, as the hub's stock clients read it. */
const Account = z.strictObject({
  type: z.literal('user'),
  id: z.string(),
  name: z.string(),
  fullname: z.string(),
  orgs: z.array(z.strictObject({ name: z.string() })),
});
export type Account = z.infer<typeof Account>;

/** What the hub's stock clients ask beside the endpoints: the catalog's older paths, and whose token it is. */
export const olderCatalogOperations = {
  listCatalogRepositories: {
    method: 'GET',
    path: '/api/catalog/repo-list',
    summary: 'The repositories of all models that can be deployed, newest first',
    success: { status: 200, schema: z.strictObject({ models: z.array(z.string()) }) },
  },
  deployCatalogRepository: {
    method: 'POST',
    path: '/api/catalog/deploy',
    summary: 'Make an endpoint of a model, as older clients ask for it',
    token: true,
    body: RepositoryDeploy,
    success: { status: 200, schema: Deployed, relayed: RemoteDeployed },
    refusals: {
      400: badBody,
      401: unauthorized,
      404: refused('No such catalog item'),
      409: refused('No compatible compute found for the model'),
      502: refused('The remote catalog does not answer as it should: nothing was made'),
      504: refused('The remote catalog did not answer: it is not known whether the endpoint was made'),
    },
  },
  whoAmI: {
    method: 'GET',
    path: '/api/whoami-v2',
    summary: 'Whose token it is; `name` is the namespace that is meant where none is named',
    token: true,
    success: { status: 200, schema: Account },
    refusals: { 401: unauthorized },
  },
} as const satisfies Record<string, Operation>;
