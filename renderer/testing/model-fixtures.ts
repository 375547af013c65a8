import type * as z from 'zod';
import type { CatalogItem, Recipe } from '../../daemon/contract/catalog/catalog.ts';
import type {
  CatalogSourceStatus,
  ConsideredRecipe,
  ModelDetail,
  ModelPage,
  ModelSummary,
  OfferInfo,
  RecipeDownload,
} from '../../daemon/contract/catalog/models.ts';
import type { GraphicsCards } from '../../daemon/contract/compute/graphics-cards.ts';
import type { Hardware } from '../../daemon/contract/compute/hardware.ts';
import type { Endpoint, EndpointListing, OwnEndpoint } from '../../daemon/contract/endpoints/endpoint.ts';
import type { EndpointReport, ReplicaReport } from '../../daemon/contract/endpoints/endpoint-report.ts';
import type { RuntimeList } from '../../daemon/contract/endpoints/runtimes.ts';
import type { GgufFacts, ModelFile } from '../../daemon/contract/model-files/model-files.ts';
import type { Session } from '../../daemon/contract/session.ts';
import { moment } from './fixtures.ts';

const thisMachine: OfferInfo = {
  id: 'local-this-machine-host',
  label: 'this machine',
  provider: { vendor: 'local', region: 'this-machine' },
  accelerator: 'cpu',
  instanceType: 'host',
  instanceSize: 'x1',
  pricePerHour: 0,
};

export const cloudGpu: OfferInfo = {
  id: 'cloud-east-gpu-x1',
  label: 'cloud east, gpu x1',
  provider: { vendor: 'cloud', region: 'east' },
  accelerator: 'gpu',
  instanceType: 'gpu',
  instanceSize: 'x1',
  pricePerHour: 0.8,
};

export function recipe(publicId: string, change: Partial<Recipe> = {}): Recipe {
  return { accelerator: 'cpu', engineType: 'llamacpp', ggufFile: `${publicId}.gguf`, publicId, ...change };
}

function catalogItem(repoId: string, change: Partial<CatalogItem> = {}): CatalogItem {
  const [authorName = '', modelName = ''] = repoId.split('/');
  return {
    modelName,
    createdAt: moment,
    authorName,
    license: 'apache-2.0',
    repoId,
    task: 'text-generation',
    recipes: [recipe(`${modelName}-q4`)],
    ...change,
  };
}

/** Nothing is said of the graphics card. */
const unplaced = { place: null, layers: null };

export function modelSummary(repoId: string, change: Partial<ModelSummary> = {}): ModelSummary {
  const item = catalogItem(repoId);
  const fit = {
    fits: true,
    tight: false,
    lacksRuntime: false,
    canInstall: false,
    publicId: item.recipes[0]?.publicId ?? null,
    offer: thisMachine,
    needBytes: 7e9,
    capacityBytes: 20.4e9,
    ...unplaced,
    sentence: 'Fits this machine: 7.0 of 20.4 GB.',
  };
  return { ...item, smallestBytes: 5.03e9, parameterCount: 8_190_735_360, fit, ...change };
}

export function catalogSource(change: Partial<CatalogSourceStatus> = {}): CatalogSourceStatus {
  return { kind: 'embedded', url: null, hasToken: false, fetchedAt: null, problem: null, total: 132, ...change };
}

export const noFacets: ModelPage['facets'] = { task: [], license: [], accelerator: [], engine: [], author: [] };

export function modelPage(models: readonly ModelSummary[], change: Partial<ModelPage> = {}): ModelPage {
  const matches = models.length;
  return { models: [...models], matches, page: 1, pages: 1, facets: noFacets, source: catalogSource(), ...change };
}

/** A recipe that fits this machine, not the cloud. */
export function considered(publicId: string, change: Partial<ConsideredRecipe> = {}): ConsideredRecipe {
  return {
    recipe: recipe(publicId),
    isChosen: false,
    fits: true,
    tight: false,
    lacksRuntime: false,
    canInstall: false,
    needBytes: 7e9,
    offer: thisMachine,
    capacityBytes: 20.4e9,
    ...unplaced,
    reason: 'Fits this machine: 7.0 of 20.4 GB.',
    considered: [
      { offer: thisMachine, fits: true, capacityBytes: 20.4e9, ...unplaced, reason: 'It is big enough.' },
      { offer: cloudGpu, fits: false, capacityBytes: 24e9, ...unplaced, reason: 'It computes on another accelerator.' },
    ],
    ...change,
  };
}

export function modelDetail(repoId: string, change: Partial<ModelDetail> = {}): ModelDetail {
  const { fit, parameterCount, smallestBytes: _, ...item } = modelSummary(repoId);
  const recipes = [considered(item.recipes[0]?.publicId ?? '', { isChosen: true })];
  return { item, parameterCount, contextLength: 40_960, fit, recipes, suggestedName: 'big-model-k3f', ...change };
}

/** A recipe whose file of 5.0 GB is to be downloaded. */
export function recipeDownload(publicId: string, change: Partial<RecipeDownload> = {}): RecipeDownload {
  return {
    publicId,
    totalBytes: 5e9,
    isExact: true,
    missingBytes: 5e9,
    lackingBytes: 0,
    problem: null,
    isBlocked: false,
    ...change,
  };
}

export function session(change: Partial<Session> = {}): Session {
  return { signedIn: true, namespaces: null, namespace: 'local', isOwnUser: true, ...change };
}

/** A pending endpoint of a catalog model. */
export function endpoint(name: string, change: Partial<Endpoint> = {}): Endpoint {
  const by = { id: 'local', name: 'local' };
  return {
    name,
    type: 'authenticated',
    accountId: null,
    allowedOrigins: [],
    healthRoute: '/health',
    provider: thisMachine.provider,
    compute: {
      accelerator: 'cpu',
      id: thisMachine.id,
      instanceType: 'host',
      instanceSize: 'x1',
      scaling: { minReplica: 0, maxReplica: 1, scaleToZeroTimeout: 15, measure: null },
    },
    model: {
      repository: 'anna/big-model',
      revision: null,
      framework: 'llamacpp',
      task: 'text-generation',
      args: null,
      command: null,
      env: {},
      secrets: {},
      fromCatalog: true,
      image: { llamacpp: { url: 'server', modelPath: 'big-model-q4.gguf' } },
    },
    cacheHttpResponses: false,
    customRouter: null,
    experimentalFeatures: { cacheHttpResponses: false, loadBalancer: 'random', mcpLb: null, skipRepoDownload: null },
    network: null,
    notifications: { email: false, push: false },
    privateService: null,
    route: null,
    tags: [],
    status: {
      state: 'pending',
      message: 'Waiting to start.',
      url: `http://127.0.0.1:8000/endpoints/local/${name}`,
      createdAt: moment,
      createdBy: by,
      updatedAt: moment,
      updatedBy: by,
      private: null,
      readyReplica: 0,
      targetReplica: 0,
    },
    ...change,
  };
}

export function ownEndpoint(
  name: string,
  change: Partial<Endpoint> = {},
  report: Partial<EndpointReport> = {},
): OwnEndpoint {
  return {
    namespace: 'local',
    endpoint: endpoint(name, change),
    reasons: ['Fits this machine: 7.0 of 20.4 GB.'],
    report: {
      runtime: null,
      isWaking: false,
      progress: null,
      failure: null,
      replicas: [],
      notOnCard: null,
      scaling: null,
      lacksChatTemplate: false,
      unused: [],
      ...report,
    },
    traffic: {
      ...{ requests: 0, failed: 0, inFlight: 0, cacheHits: 0, waiting: 0 },
      ...{ latencyMs: null, firstByteMs: null, tokensPerSecond: null, lastRequestAt: null },
      generatedPerSecond: { now: null, average: null },
    },
    memory: { estimatedBytes: null, usedBytes: null },
  };
}

/** A process that serves; nothing was measured of it. */
export function replicaReport(change: Partial<ReplicaReport> = {}): ReplicaReport {
  return {
    ...({ id: 'r7', pid: 7, container: null, state: 'ready', requests: 0, slots: null } as const),
    ...{ memoryBytes: null, cpuPercent: null, cardUse: null },
    ...change,
  };
}

export function endpointListing(
  endpoints: readonly OwnEndpoint[],
  change: Partial<z.infer<typeof EndpointListing>> = {},
): z.infer<typeof EndpointListing> {
  const status = { total: endpoints.length, revision: 1, states: {} };
  return { endpoints: [...endpoints], matches: endpoints.length, page: 1, pages: 1, status, ...change };
}

/** A machine with the bundled runner, on which llama-server can be installed. */
export function runtimeList(change: Partial<RuntimeList> = {}): RuntimeList {
  const nothing = { version: null, path: null };
  return {
    runtimes: [
      { id: 'llama-server', label: 'llama-server', ...nothing, problem: 'It is not on this machine.', hasGpu: false },
      {
        ...{ id: 'bundled', label: 'bundled runner', version: '3.21.1', path: '/app/llama-runner.cjs' },
        ...{ problem: null, hasGpu: false },
      },
    ],
    installable: {
      version: 'b1',
      host: 'example.org',
      sizeBytes: 45e6,
      usesCard: null,
      replaces: false,
      problem: null,
    },
    containers: {
      ...{ label: null, socket: null, isRootless: false, hasGpu: false },
      ...{ problem: 'No container engine answers on this machine.', action: null, command: null },
    },
    ...change,
  };
}

/** An idle graphics card. */
export function graphicsCard(change: Partial<GraphicsCards['cards'][number]> = {}): GraphicsCards['cards'][number] {
  return {
    ...({ index: 0, name: 'Example 4000', api: 'vulkan', driver: 'example 1.2' } as const),
    ...{ totalBytes: 8e9, freeBytes: 7.6e9, sharesMemory: false, users: [] },
    ...change,
  };
}

/** A machine with one graphics card. */
export function graphicsCards(change: Partial<GraphicsCards> = {}): GraphicsCards {
  return { isOn: true, cards: [graphicsCard()], usagePercent: null, problem: null, canTryAgain: false, ...change };
}

export function ggufFacts(change: Partial<GgufFacts> = {}): GgufFacts {
  return {
    ...{ architecture: 'llama', name: 'Tiny', parameterCount: 266_000, contextLength: 512 },
    shape: { layers: 2, kvHeads: 2, headDim: 32 },
    ...{ fileType: 'F32', hasChatTemplate: true, pooling: null, isClassifier: false, sizeBytes: 536_000 },
    ...change,
  };
}

/** A complete file that no endpoint uses. */
export function modelFile(path: string, change: Partial<ModelFile> = {}): ModelFile {
  return {
    id: path,
    repository: 'anna/big-model',
    commit: 'a'.repeat(40),
    path,
    location: `/data/models/${path}`,
    bytes: 5e9,
    totalBytes: 5e9,
    state: 'complete',
    lastUsedAt: moment,
    users: [],
    ...change,
  };
}

/** Compute of this machine only. */
export function hardware(): Hardware {
  const computes: Hardware['vendors'][number]['regions'][number]['computes'] = [
    {
      ...{ id: thisMachine.id, accelerator: 'cpu', numAccelerators: 1, memoryGb: 24, gpuMemoryGb: null },
      ...{ instanceType: 'host', instanceSize: 'x1', architecture: 'CPU', status: 'available', pricePerHour: 0 },
      quota: { maxAccelerators: 8, usedAccelerators: 0 },
    },
  ];
  const region = { name: 'this-machine', label: 'This machine', status: 'available', computes } as const;
  return { vendors: [{ name: 'local', status: 'available', regions: [region] }] };
}
