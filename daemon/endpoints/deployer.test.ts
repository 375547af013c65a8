import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { Catalog } from '../catalog/catalog.ts';
import type { RemoteClient } from '../catalog/remote/remote-client.ts';
import { noMeasurements } from '../catalog/selection/measured-memory.ts';
import type { RemoteEndpoint } from '../contract/endpoints/deploy.ts';
import { operations } from '../contract/operations/operations.ts';
import { endpointsIn, somebody } from '../testing/models/some-endpoints.ts';
import { machine, someModel } from '../testing/models/some-models.ts';
import { Deployer } from './deployer.ts';

async function noEndpoints() {
  const folder = await mkdtemp(join(tmpdir(), 'endpoints-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return endpointsIn(folder);
}

test('the endpoint of a remote service is returned unchanged, and the contract accepts it', async () => {
  const endpoint: RemoteEndpoint = { name: 'poet-x1', billing: { plan: 'newer' }, status: { state: 'dreaming' } };
  const deployed = async () => ({ endpoint, total: 1 });
  const client = { deploy: deployed } satisfies Partial<RemoteClient>;
  const deployer = new Deployer({
    catalog: { client: client as object as RemoteClient, load: () => Promise.reject(new Error('not asked')) },
    offers: () => Promise.reject(new Error('not asked')),
    measured: () => noMeasurements,
    measureCards: () => Promise.reject(new Error('not asked')),
    endpoints: await noEndpoints(),
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

test.each([
  [undefined, 1],
  ['gpu', 1],
  ['cpu', 0],
] as const)('a deploy with the accelerator %s measures the graphics cards %i times', async (accelerator, times) => {
  let measured = 0;
  const catalog = await Catalog.of([someModel({ repoId: 'ada/tiny' })]);
  const deployer = new Deployer({
    catalog: { client: null, load: async () => catalog },
    offers: async () => [machine],
    measured: () => noMeasurements,
    measureCards: async () => {
      measured += 1;
    },
    endpoints: await noEndpoints(),
    random: Math.random,
  });
  const wanted = { namespace: 'ada', ...(accelerator && { accelerator }) };
  await expect(deployer.deployModel('ada', 'tiny', wanted, { ...somebody, namespaces: null })).rejects.toThrow();
  expect(measured).toBe(times);
});
