import { expect, test } from 'vitest';
import { buildCatalog } from '../../catalog/catalog.ts';
import type { EndpointImage } from '../../contract/endpoints/endpoint-image.ts';
import type { ReplicaReport } from '../../contract/endpoints/endpoint-report.ts';
import { createLogger } from '../../shared/logger.ts';
import { partsNamed, pendingSince } from '../../testing/models/some-endpoints.ts';
import { someModel } from '../../testing/models/some-models.ts';
import type { StoredEndpoint } from '../records/stored-endpoint.ts';
import { endpointMemory } from './endpoint-memory.ts';

const MiB = 1024 ** 2;
const entry = someModel(
  {
    repoId: 'ada/m',
    recipes: [
      { publicId: 'gpu', accelerator: 'gpu', engineType: 'llamacpp', ggufFile: 'm.gguf' },
      { publicId: 'cpu', accelerator: 'cpu', engineType: 'llamacpp', ggufFile: 'm.gguf' },
    ],
  },
  { weightBytes: { cpu: 1e9, gpu: 7e9 }, contextLength: 32_768, arch: { layers: 32, kvHeads: 8, headDim: 128 } },
);
const catalog = {
  load: () =>
    buildCatalog(
      [entry],
      createLogger('error', () => {}),
    ),
};
const status = { ...pendingSince('2026-11-23T10:00:00.000Z'), state: 'running' as const };

function endpoint(image: EndpointImage, change: Partial<StoredEndpoint> = {}): StoredEndpoint {
  const { model, ...parts } = partsNamed('one');
  return { ...parts, model: { ...model, repository: 'ada/m', image }, status, ...change };
}
const llamacpp = (ctxSize: number | null, file = 'm.gguf'): EndpointImage => ({
  llamacpp: { url: 'engines/llamacpp:cpu', modelPath: `/repository/${file}`, ctxSize },
});
const replica = (memoryBytes: number | null): ReplicaReport => ({
  ...{ id: '1', pid: 1, container: null, state: 'ready', requests: 0, slots: null, cpuPercent: null, cardUse: null },
  memoryBytes,
});
const memoryWith =
  (peak: number | null) =>
  (
    of: StoredEndpoint,
    replicas: readonly ReplicaReport[],
    from: Parameters<typeof endpointMemory>[2]['catalog'] = catalog,
  ) =>
    endpointMemory(of, replicas, { catalog: from, memoryRecords: { peakBytes: () => peak } });
const FIXED = 1e9 + 768 * MiB;

test('the estimate is that of the catalog’s recipe with the context of the endpoint', async () => {
  const estimate = async (image: EndpointImage) => (await memoryWith(null)(endpoint(image), [])).estimatedBytes;
  expect(await estimate(llamacpp(8192))).toBe(FIXED + 1024 * MiB);
  expect(await estimate(llamacpp(16_384))).toBe(FIXED + 2048 * MiB);
  expect(await estimate(llamacpp(null))).toBe(FIXED + 1024 * MiB);
  expect(await estimate(llamacpp(8192, 'other.gguf'))).toBeNull();
  expect(await estimate({ vLLM: { url: 'engines/vllm:cpu' } })).toBeNull();
});

test('the use is the most of one replica, of those noted and those of now', async () => {
  const used = async (peak: number | null, replicas: readonly ReplicaReport[], change: Partial<StoredEndpoint> = {}) =>
    (await memoryWith(peak)(endpoint(llamacpp(8192), change), replicas)).usedBytes;
  expect(await used(null, [])).toBeNull();
  expect(await used(null, [replica(null)])).toBeNull();
  expect(await used(5e9, [replica(3e9), replica(4e9)])).toBe(5e9);
  expect(await used(2e9, [replica(3e9), replica(4e9)])).toBe(4e9);
  expect(await used(2e9, [replica(3e9), { ...replica(4e9), state: 'draining' }])).toBe(3e9);
  expect(await used(2e9, [replica(4e9)], { status: { ...status, state: 'updating' } })).toBe(2e9);
});

test('an endpoint that sleeps has the figures of the slots with which it was measured', async () => {
  const records = { peakBytes: (_: unknown, slots: number | null = null) => (slots === 2 ? 5e9 : null) };
  expect(await endpointMemory(endpoint(llamacpp(8192)), [], { catalog, memoryRecords: records })).toEqual({
    estimatedBytes: FIXED + 2 * 1024 * MiB,
    usedBytes: 5e9,
  });
});

test('neither is known of a graphics card, nor the estimate of a catalog that cannot be read', async () => {
  const onGpu = endpoint(llamacpp(8192));
  const memory = await memoryWith(5e9)({ ...onGpu, compute: { ...onGpu.compute, accelerator: 'gpu' } }, []);
  expect(memory).toEqual({ estimatedBytes: null, usedBytes: null });
  const unreadable = { load: () => Promise.reject(new Error('none')) };
  expect(await memoryWith(5e9)(onGpu, [], unreadable)).toEqual({ estimatedBytes: null, usedBytes: 5e9 });
});
