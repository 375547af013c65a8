import { expect, test } from 'vitest';
import type { RemoteClient } from '../catalog/remote/remote-client.ts';
import { noMeasurements } from '../catalog/selection/measured-memory.ts';
import type { RemoteEndpoint } from '../contract/endpoints/deploy.ts';
import { operations } from '../contract/operations/operations.ts';
import { endpointsIn, somebody } from '../testing/models/some-endpoints.ts';
import { Deployer } from './deployer.ts';

test('the endpoint of a remote service is returned unchanged, and the contract accepts it', async () => {
  const endpoint: RemoteEndpoint = { name: 'poet-x1', billing: { plan: 'newer' }, status: { state: 'dreaming' } };
  const deployed = async () => ({ endpoint, total: 1 });
  const client = { deploy: deployed } satisfies Partial<RemoteClient>;
  const deployer = new Deployer({
    catalog: { client: client as object as RemoteClient, load: () => Promise.reject(new Error('not asked')) },
    offers: () => Promise.reject(new Error('not asked')),
    measured: () => noMeasurements,
    measureCards: () => Promise.reject(new Error('not asked')),
    endpoints: endpointsIn('/nowhere'),
    random: Math.random,
  });
  const by = { ...somebody, namespaces: null };
  const replies = [
    await deployer.deployModel('ada', 'Poet', { namespace: 'ada' }, by),
    await deployer.deployRecipe('poet-vllm-gpu', { namespace: 'ada' }, by),
  ];
  expect(replies).toEqual([
    { isRemote: true, endpoint },
    { isRemote: true, endpoint },
  ]);
  for (const name of ['deployCatalogModel', 'deployCatalogRecipe', 'deployCatalogRepository'] as const) {
    const { relayed } = operations[name].success;
    expect(relayed.parse({ endpoint })).toEqual({ endpoint });
    expect(relayed.safeParse({ endpoint: {} }).success).toBe(false);
  }
});
