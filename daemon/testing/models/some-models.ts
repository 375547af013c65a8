import type { CatalogEntry, ModelFacts } from '../../catalog/catalog-entry.ts';
import type { ComputeOffer } from '../../catalog/compute/compute-offer.ts';
import { cpuOffer, gpuOffer } from '../../catalog/compute/this-machine.ts';
import type { CatalogItem } from '../../contract/catalog/catalog.ts';

const host = { cpus: 8, cpuModel: 'CPU', totalBytes: 24e9, availableBytes: 24e9 };

/** A machine with 8 processors and room for 20.4 GB. */
export const machine = cpuOffer(host);

/** The graphics card of that machine, with 9 GB for models of llama.cpp, and the machine's memory beside it. */
export const graphicsCard: ComputeOffer = {
  ...gpuOffer(host, [{ name: 'Card', totalBytes: 10e9, freeBytes: 9e9 }]),
  card: { freeBytes: 9e9, hostBytes: machine.capacityBytes },
};

/** That graphics card with other memory. */
export const cardWith = (freeBytes: number, hostBytes: number): ComputeOffer => ({
  ...graphicsCard,
  card: { freeBytes, hostBytes },
});

/** A cloud vendor's GPU with room for 21.6 GB. */
export function cloudOffer(change: Partial<ComputeOffer> = {}): ComputeOffer {
  return {
    ...machine,
    ...{ id: 'gcp-us-east4-nvidia-l4-x1', vendor: 'gcp', region: 'us-east4', accelerator: 'gpu' },
    ...{ instanceType: 'nvidia-l4', instanceSize: 'x1', capacityBytes: 21.6e9, pricePerHour: 0.7, engines: null },
    ...change,
  };
}

/** A model `someone/m`, or the one that `item.repoId` names, without recipes and facts unless they are given. */
export function someModel(item: Partial<CatalogItem>, facts: Partial<ModelFacts> = {}): CatalogEntry {
  const { repoId = 'someone/m' } = item;
  const [authorName = '', modelName = ''] = repoId.split('/');
  return {
    item: {
      ...{ modelName, createdAt: '2026-01-01T00:00:00.000Z', authorName, license: 'mit', repoId },
      ...{ task: 'text-generation', recipes: [], ...item },
    },
    facts: { weightBytes: {}, ...facts },
  };
}
