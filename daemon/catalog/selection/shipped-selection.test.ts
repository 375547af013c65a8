/** The selection with the shipped catalog and offers. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createLogger } from '../../shared/logger.ts';
import { readCatalogFile } from '../catalog-file.ts';
import { readComputeOffers } from '../compute/compute-offers.ts';
import { cpuOffer } from '../compute/this-machine.ts';
import { selectOffer, selectRecipe } from './recipe-selection.ts';
import type { Selection, WantedRecipe } from './selection.ts';
import { noCompatibleCompute } from './selection-reasons.ts';

const shipped = join(import.meta.dirname, '..', '..', '..', 'assets', 'catalog');
const entries = await readCatalogFile(join(shipped, 'catalog-items.json'), createLogger('error'));
const listed = readComputeOffers(join(shipped, 'compute-offers.json'));
/** The offers as if every vendor had an account. */
const offers = listed.map((offer) => ({
  ...offer,
  hasProvider: true,
  quota: { maxAccelerators: 16, usedAccelerators: 0 },
}));
const machine = cpuOffer({ cpus: 8, cpuModel: 'CPU', totalBytes: 24e9, availableBytes: 24e9 });

function entryOf(repoId: string) {
  const entry = entries.find(({ item }) => item.repoId === repoId);
  if (!entry) throw new Error(`The catalog has no ${repoId}.`);
  return entry;
}
const summarize = (selection: Selection) =>
  selection.outcome === 'chosen'
    ? `${selection.recipe.publicId.split('--').at(-1)} on ${selection.offer.id}, ${(selection.needBytes / 1e9).toFixed(1)} GB`
    : selection.outcome;

test('every recipe of the catalog has a place where it runs', () => {
  const homeless = entries.flatMap((entry) =>
    entry.item.recipes.filter((recipe) => selectOffer(entry, recipe, offers).outcome !== 'chosen'),
  );
  expect(homeless).toEqual([]);
});

test('a machine with 24 GB runs every model that has a file for the CPU, but the two largest', () => {
  const forCpu = entries.filter(({ item }) =>
    item.recipes.some(({ engineType, accelerator }) => engineType === 'llamacpp' && accelerator === 'cpu'),
  );
  const chosen = forCpu.map((entry) => selectRecipe(entry, {}, [machine, ...listed]));
  expect(chosen.filter(({ outcome }) => outcome === 'chosen')).toHaveLength(30);
  const tooLarge = forCpu.filter((_, index) => chosen[index]?.outcome !== 'chosen');
  expect(tooLarge.map(({ item }) => item.repoId).toSorted()).toEqual([
    'Qwen/Qwen3-30B-A3B-GGUF',
    'Qwen/Qwen3-32B-GGUF',
  ]);
});

test.each([
  ['Qwen/Qwen3-8B', 'vllm-gpu on gcp-us-east4-nvidia-l4-x1, 20.0 GB'],
  ['meta-llama/Llama-3.3-70B-Instruct', 'vllm-gpu on aws-us-east-1-nvidia-l40s-x4, 157.3 GB'],
  ['Qwen/Qwen3-8B-GGUF', 'llamacpp-gpu-q80 on aws-us-east-1-nvidia-t4-x1, 10.9 GB'],
])('%s goes to %s', (repoId, where) => {
  expect(summarize(selectRecipe(entryOf(repoId), {}, offers))).toBe(where);
});

test('on this machine, the best recipe of a model that fits is chosen before the smallest', () => {
  const entry = entryOf('Qwen/Qwen3-8B-GGUF');
  expect(summarize(selectRecipe(entry, {}, [machine, ...listed]))).toBe(
    'llamacpp-cpu-q80 on local-this-machine-host-x8, 10.9 GB',
  );
});

test('this machine comes before a GPU that costs money, unless the GPU is asked for', () => {
  const entry = entryOf('Qwen/Qwen3-8B-GGUF');
  const select = (wanted: WantedRecipe) => summarize(selectRecipe(entry, wanted, [machine, ...offers]));
  expect(select({})).toBe('llamacpp-cpu-q80 on local-this-machine-host-x8, 10.9 GB');
  expect(select({ accelerator: 'gpu' })).toBe('llamacpp-gpu-q80 on aws-us-east-1-nvidia-t4-x1, 10.9 GB');
});

test('an engine that splits a model gets the number of accelerators', () => {
  expect(selectRecipe(entryOf('meta-llama/Llama-3.3-70B-Instruct'), {}, offers)).toMatchObject({
    tensorParallelSize: 4,
    ctxSize: null,
  });
});

test('one too large for this machine says by how much, and where it would run', () => {
  const refusal = (where: typeof listed) => {
    const selection = selectRecipe(entryOf('Qwen/Qwen3-32B-GGUF'), { accelerator: 'cpu' }, where);
    return selection.outcome === 'nothing-fits' ? noCompatibleCompute(selection).message : selection.outcome;
  };
  const lack =
    'No compatible compute found for the model: needs 23.7 GB, the largest available is 20.4 GB (this machine).';
  expect(refusal([machine])).toBe(`${lack} Choose a smaller model.`);
  expect(refusal([machine, ...listed])).toBe(
    `${lack} aws us-east-1 intel-spr x16 has 27.2 GB for the 23.7 GB it needs, but no account for aws is configured.`,
  );
});
