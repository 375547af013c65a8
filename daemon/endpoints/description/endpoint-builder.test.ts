import { expect, test } from 'vitest';
import type { ModelFacts } from '../../catalog/catalog-entry.ts';
import type { ComputeOffer } from '../../catalog/compute/compute-offer.ts';
import type { EngineType, Recipe } from '../../contract/catalog/catalog.ts';
import type { DeployConfig } from '../../contract/endpoints/deploy.ts';
import { pendingSince } from '../../testing/models/some-endpoints.ts';
import { StoredEndpoint } from '../records/stored-endpoint.ts';
import { buildFromCatalog, type CatalogDeploy, deployChoices } from './endpoint-builder.ts';
import { checked } from './problems.ts';

const offer: ComputeOffer = {
  ...{ id: 'local-this-machine-host-x2', vendor: 'local', region: 'this-machine', accelerator: 'cpu' },
  ...{ instanceType: 'host', instanceSize: 'x2', architecture: 'x64', numAccelerators: 1, numCpus: 2 },
  ...{ memoryBytes: 8e9, acceleratorMemoryBytes: null, capacityBytes: 6e9, pricePerHour: 0, status: 'available' },
  ...{ quota: { maxAccelerators: 1, usedAccelerators: 0 }, hasProvider: true, engines: null },
};
const item = {
  ...{ modelName: 'Qwen3-8B-GGUF', createdAt: '2025-05-03T00:00:00.000Z', authorName: 'Qwen', license: 'apache-2.0' },
  ...{ repoId: 'Qwen/Qwen3-8B-GGUF', task: 'text-generation' },
};
const free = () => false;
const choicesOf = (config: DeployConfig, isTaken: (name: string) => boolean = free) =>
  checked((addIssue) => deployChoices(config, isTaken, addIssue));

function deploy(recipe: Partial<Recipe>, facts: Partial<ModelFacts> = {}, more: Partial<CatalogDeploy> = {}) {
  const recipeUsed: Recipe = { accelerator: 'cpu', engineType: 'llamacpp', publicId: 'some-recipe', ...recipe };
  return buildFromCatalog({
    entry: { item: { ...item, recipes: [recipeUsed] }, facts: { weightBytes: {}, ...facts } },
    ...{ recipe: recipeUsed, offer, choices: choicesOf({}), name: 'a-name' },
    ...{ ctxSize: null, tensorParallelSize: null },
    ...more,
  });
}

test('an empty config gives the specification’s defaults, with every member present', () => {
  const parts = deploy({ ggufFile: 'Qwen3-8B-Q4_K_M.gguf' }, {}, { ctxSize: 8192 });
  const endpoint = { ...parts, status: pendingSince('2026-11-21T11:00:00.000Z') };
  expect(StoredEndpoint.parse(endpoint)).toEqual(endpoint);
  expect(parts).toEqual({
    name: 'a-name',
    type: 'authenticated',
    accountId: null,
    healthRoute: '/health',
    provider: { vendor: 'local', region: 'this-machine' },
    compute: {
      accelerator: 'cpu',
      id: 'local-this-machine-host-x2',
      instanceType: 'host',
      instanceSize: 'x2',
      scaling: { minReplica: 0, maxReplica: 1, scaleToZeroTimeout: 15, measure: null },
    },
    model: {
      repository: 'Qwen/Qwen3-8B-GGUF',
      revision: null,
      framework: 'llamacpp',
      task: 'text-generation',
      args: null,
      command: null,
      env: {},
      secrets: {},
      fromCatalog: true,
      image: {
        llamacpp: {
          url: 'engines/llamacpp:cpu',
          healthRoute: '/health',
          modelPath: '/repository/Qwen3-8B-Q4_K_M.gguf',
          ctxSize: 8192,
        },
      },
    },
    allowedOrigins: [],
    cacheHttpResponses: false,
    customRouter: null,
    experimentalFeatures: { cacheHttpResponses: false, loadBalancer: 'random', mcpLb: null, skipRepoDownload: false },
    network: null,
    notifications: { email: false, push: false },
    privateService: null,
    route: null,
    tags: [],
  });
});

const container = (engine: string) => ({ url: `engines/${engine}:gpu`, healthRoute: '/health' });
test.each<[EngineType, string, object]>([
  ['llamacpp', 'llamacpp', { llamacpp: { ...container('llamacpp'), modelPath: '/repository', variant: '*.gguf' } }],
  ['vllm', 'pytorch', { vLLM: { ...container('vllm'), tensorParallelSize: 4 } }],
  ['vllmOmni', 'pytorch', { vLLMOmni: container('vllmomni') }],
  ['vllmNeuron', 'pytorch', { vLLMNeuron: container('vllmneuron') }],
  ['sglang', 'pytorch', { sGLang: { ...container('sglang'), tensorParallelSize: 4 } }],
  ['tei', 'pytorch', { tei: container('tei') }],
  ['custom', 'custom', { custom: container('custom') }],
])('the engine %s has the framework %s and its own image', (engineType, framework, image) => {
  const recipe = { engineType, accelerator: 'gpu', revision: 'abc' } as const;
  const { model } = deploy(recipe, {}, { tensorParallelSize: 4 });
  expect(model).toMatchObject({ framework, revision: 'abc', fromCatalog: true });
  expect(model.image).toEqual(image);
});

test('a model’s mode and vision file are passed to its engine', () => {
  const ggufFile = 'a/b.gguf';
  expect(deploy({ ggufFile }, { mode: 'reranking' }).model.image.llamacpp).toMatchObject({
    ...{ modelPath: '/repository/a/b.gguf', mode: 'reranking', pooling: 'rank' },
  });
  expect(deploy({ ggufFile }, { mode: 'embeddings', mmprojFile: 'eyes.gguf' }).model.image.llamacpp).toEqual({
    ...{ url: 'engines/llamacpp:cpu', healthRoute: '/health', modelPath: '/repository/a/b.gguf' },
    ...{ mode: 'embeddings', mmprojModelPath: '/repository/eyes.gguf' },
  });
});

test('a task unknown to endpoints becomes custom', () => {
  const entry = { item: { ...item, task: 'time-travel', recipes: [] }, facts: { weightBytes: {} } };
  expect(deploy({}, {}, { entry }).model.task).toBe('custom');
});

test('the config’s choices appear in the endpoint', () => {
  const config: DeployConfig = {
    ...{ name: 'mine', type: 'private', scaling: { minReplica: 1, maxReplica: 3 } },
    privateService: { accountId: '1', region: 'eu-west-1', shared: true },
  };
  const choices = choicesOf(config);
  expect(choices).toMatchObject({ name: 'mine' });
  expect(deploy({}, {}, { choices })).toMatchObject({
    ...{ type: 'private', privateService: config.privateService },
    compute: { scaling: { minReplica: 1, maxReplica: 3, scaleToZeroTimeout: null } },
  });
  expect(choicesOf({ type: 'private' })).toMatchObject({ name: null, privateService: null });
});

test('all issues are reported together, with paths in the config', () => {
  const config: DeployConfig = {
    ...{ name: 'mine', scaling: { minReplica: 2, scaleToZeroTimeout: 5 } },
    privateService: { accountId: '1', region: 'us-east-1' },
  };
  const paths = [['name'], ['privateService'], ['scaling', 'minReplica'], ['scaling', 'scaleToZeroTimeout']];
  expect(() => choicesOf(config, (name) => name === 'mine')).toThrow(
    expect.objectContaining({
      message: expect.stringMatching(/^There is already an endpoint "mine"\. Only .* minReplica, 2, is more than/),
      issues: paths.map((path) => expect.objectContaining({ path })),
    }),
  );
});
