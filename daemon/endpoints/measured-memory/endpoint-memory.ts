import type { Catalog } from '../../catalog/catalog.ts';
import { memoryNeed, needBytes } from '../../catalog/selection/memory-estimate.ts';
import type { EndpointMemory } from '../../contract/endpoints/endpoint.ts';
import type { ReplicaReport } from '../../contract/endpoints/endpoint-report.ts';
import { SLOT_COUNTS } from '../preparation/slots.ts';
import type { StoredEndpoint } from '../records/stored-endpoint.ts';
import type { MemoryRecords } from './memory-records.ts';
import { type MemorySettings, memorySettings } from './memory-settings.ts';

interface EndpointMemoryDeps {
  readonly catalog: { load(): Promise<Catalog> };
  readonly memoryRecords: Pick<MemoryRecords, 'peakBytes'>;
}

/**
 * The memory of one replica of an endpoint, as estimated and as measured.
 * @param replicas those that it has now, which may use more than has been noted so far
 */
export async function endpointMemory(
  endpoint: StoredEndpoint,
  replicas: readonly ReplicaReport[],
  { catalog, memoryRecords }: EndpointMemoryDeps,
): Promise<EndpointMemory> {
  const peakBytes = (slots: number | null) => memoryRecords.peakBytes(endpoint, slots);
  // Of an endpoint without a replica: the slots with which one was measured.
  const usualSlots = () => SLOT_COUNTS.find((slots) => peakBytes(slots) !== null) ?? null;
  const slots = replicas[0] ? replicas[0].slots : usualSlots();
  const settings = memorySettings(endpoint, slots);
  if (settings === null) return { estimatedBytes: null, usedBytes: null };
  // While it is being updated, and while they drain, they may have other settings.
  const counted = endpoint.status.state === 'running' ? replicas.filter(({ state }) => state === 'ready') : [];
  const used = [peakBytes(slots), ...counted.map(({ memoryBytes }) => memoryBytes)];
  const known = used.filter((bytes) => bytes !== null);
  return {
    estimatedBytes: await estimate(settings, catalog),
    usedBytes: known.length === 0 ? null : Math.max(...known),
  };
}

/** @returns null for a model, or a file of it, that the catalog does not have, and for a catalog that cannot be read */
async function estimate(
  { repository, engine, file, contextTokens }: MemorySettings,
  source: EndpointMemoryDeps['catalog'],
): Promise<number | null> {
  const catalog = await source.load().catch(() => null);
  const [author = '', model = ''] = repository.split('/');
  const entry = catalog?.find(author, model);
  const recipe = entry?.item.recipes.find(
    ({ accelerator, engineType, ggufFile = null }) =>
      accelerator === 'cpu' && engineType === engine && ggufFile === file,
  );
  const need = entry && recipe ? memoryNeed(entry.facts, recipe) : null;
  return need && Math.round(needBytes(need, 1, contextTokens ?? need.minTokens));
}
