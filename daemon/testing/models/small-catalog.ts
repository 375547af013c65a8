import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CatalogEntry, ModelFacts } from '../../catalog/catalog-entry.ts';
import type { CatalogItem, Recipe } from '../../contract/catalog/catalog.ts';
import { someModel } from './some-models.ts';

const arch = { layers: 2, kvHeads: 2, headDim: 16, heads: 4 };
/** Fits every machine. */
const TINY_BYTES = 400_000;
/** Fits no machine. */
const HUGE_BYTES = 1e15;

/** A model whose recipes all have weights of the same size. */
function model(
  repoId: string,
  weightBytes: number,
  recipes: readonly Recipe[],
  more: { readonly item?: Partial<CatalogItem>; readonly facts?: Partial<ModelFacts> } = {},
): CatalogEntry {
  const weights = Object.fromEntries(recipes.map(({ publicId }) => [publicId, weightBytes]));
  return someModel(
    { repoId, recipes: [...recipes], ...more.item },
    { parameterCount: 1e6, weightBytes: weights, nativeDtype: 'gguf', contextLength: 4_096, arch, ...more.facts },
  );
}

const onCpu = (publicId: string, more: Partial<Recipe> = {}): Recipe => ({
  ...{ accelerator: 'cpu', engineType: 'llamacpp', ggufFile: `${publicId}.gguf`, publicId, ...more },
});

/** Models for tests of deploys: their fits are the same on every machine. */
export const smallCatalog: readonly CatalogEntry[] = [
  model('ada/Tiny-GGUF', TINY_BYTES, [
    onCpu('tiny-q4'),
    onCpu('tiny-q8', { ggufFile: 'q8/tiny-q8.gguf', revision: 'b2c3' }),
    { accelerator: 'neuron', engineType: 'vllmNeuron', publicId: 'tiny-neuron' },
  ]),
  model('ada/Huge-GGUF', HUGE_BYTES, [onCpu('huge-q4')]),
  model('ada/Elsewhere', TINY_BYTES, [{ accelerator: 'cpu', engineType: 'tei', publicId: 'elsewhere-tei' }], {
    item: { task: 'feature-extraction', license: 'apache-2.0' },
    facts: { nativeDtype: 'f32' },
  }),
  model('ada/Eyes-GGUF', TINY_BYTES, [onCpu('eyes-q4')], {
    item: { task: 'image-text-to-text', createdAt: '2026-02-01T00:00:00.000Z' },
    facts: { mmprojFile: 'mmproj.gguf' },
  }),
  model('ada/Ranks-GGUF', TINY_BYTES, [onCpu('ranks-q4')], {
    item: { task: 'text-ranking' },
    facts: { mode: 'reranking' },
  }),
  model('bob/A_long.name-that-never-ends-and-never-stops-v1.5', TINY_BYTES, [onCpu('long-q4')]),
  model('bob/same', TINY_BYTES, [onCpu('same-lower')]),
  model('bob/Same', TINY_BYTES, [onCpu('same-upper')]),
];

/** @returns the path of the catalog file, for a daemon's options */
export async function writeSmallCatalog(folder: string): Promise<string> {
  const file = join(folder, 'small-catalog.json');
  await writeFile(file, JSON.stringify(smallCatalog.map(({ item, facts }) => ({ ...item, x: facts }))));
  return file;
}
