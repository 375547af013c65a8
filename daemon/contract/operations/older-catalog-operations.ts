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
    method: 'GET',
    path: '/api/catalog/repo-list',
    summary: 'The repositories of all deployable models, newest first',
    success: { status: 200, schema: z.strictObject({ models: z.array(z.string()) }) },
  },
  deployCatalogRepository: {
    saves: true,
    method: 'POST',
    path: '/api/catalog/deploy',
    summary: 'Create an endpoint of a model, for older clients',
    caller: 'deployer',
    body: RepositoryDeploy,
    success: { status: 200, schema: Deployed, relayed: RemoteDeployed },
    refusals: {
      400: badBody,
      401: unauthorized,
      404: refused('No such catalog item'),
      409: refused('No compatible compute found for the model'),
      502: refused('The remote catalog failed; no endpoint was created'),
      504: refused('The remote catalog did not answer; whether the endpoint was created is unknown'),
    },
  },
  whoAmI: {
    method: 'GET',
    path: '/api/whoami-v2',
    summary: 'The account of the token; `name` is its default namespace',
    caller: 'deployer',
    success: { status: 200, schema: Account },
    refusals: { 401: unauthorized },
  },
} as const satisfies Record<string, Operation>;
