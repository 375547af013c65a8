import { expect, test } from 'vitest';
import type { Recipe } from '../../contract/catalog/catalog.ts';
import { cloudOffer, machine, someModel } from '../../testing/models/some-models.ts';
import type { CatalogEntry } from '../catalog-entry.ts';
import type { ComputeOffer } from '../compute/compute-offer.ts';
import { NoCompatibleCompute, RecipeNotFound } from '../errors.ts';
import { selectRecipe } from './recipe-selection.ts';
import type { WantedRecipe } from './selection.ts';
import { noCompatibleCompute, recipeNotFound } from './selection-reasons.ts';

const gguf = (ggufFile: string): Recipe => ({
  publicId: `m--${ggufFile}`,
  accelerator: 'cpu',
  engineType: 'llamacpp',
  ggufFile,
});
const vllm: Recipe = { publicId: 'm--vllm', accelerator: 'gpu', engineType: 'vllm' };
const tei: Recipe = { publicId: 'm--tei', accelerator: 'cpu', engineType: 'tei' };

const entry = (recipes: readonly Recipe[], weightBytes = 10e9) =>
  someModel(
    { recipes: [...recipes] },
    { weightBytes: Object.fromEntries(recipes.map(({ publicId }) => [publicId, weightBytes])) },
  );

function refusal(one: CatalogEntry, offers: readonly ComputeOffer[], wanted: WantedRecipe = {}): Error | null {
  const selection = selectRecipe(one, wanted, offers);
  switch (selection.outcome) {
    case 'chosen':
      return null;
    case 'no-recipe':
      return recipeNotFound(one, selection);
    case 'nothing-fits':
      return noCompatibleCompute(selection);
  }
}

test('a missing recipe: the message has the request and the model’s recipes', () => {
  const one = entry([gguf('b.gguf'), gguf('a.gguf'), vllm]);
  expect(refusal(one, [machine], { accelerator: 'neuron' })).toEqual(
    new RecipeNotFound(
      'The model "someone/m" has no recipe for neuron. It has: cpu with llamacpp (a.gguf), cpu with llamacpp (b.gguf), gpu with vllm.',
    ),
  );
  expect(refusal(one, [machine], { accelerator: 'gpu', ggufFile: '../x\n' })?.message).toContain(
    'no recipe for gpu with the file "../x". It has:',
  );
  expect(refusal(entry([]), [machine])?.message).toBe('The model "someone/m" has no recipe.');
});

test('at most a dozen recipes are named', () => {
  const many = entry(Array.from({ length: 30 }, (_, index) => gguf(`${index + 10}.gguf`)));
  expect(refusal(many, [machine], { accelerator: 'gpu' })?.message).toMatch(/\(21\.gguf\), and 18 more\.$/);
});

const nothing = 'No compatible compute found for the model:';

test.each([
  [
    'too large',
    [gguf('a')],
    42e9,
    [machine],
    'needs 44.6 GB, the largest available is 20.4 GB (this machine). Choose a smaller model.',
  ],
  [
    'too large here, and no account for a larger offer',
    [{ ...gguf('a'), accelerator: 'gpu' }, gguf('b')],
    20e9,
    [{ ...machine, capacityBytes: 16e9 }, cloudOffer({ hasProvider: false, capacityBytes: 40e9 })],
    'needs 21.5 GB, the largest available is 16.0 GB (this machine). gcp us-east4 nvidia-l4 x1 has 40.0 GB for the 21.5 GB it needs, but no account for gcp is configured.',
  ],
  [
    'another accelerator, and no account for the right one',
    [vllm],
    10e9,
    [machine, cloudOffer({ hasProvider: false })],
    'needs a GPU; this machine has none. gcp us-east4 nvidia-l4 x1 has 21.6 GB for the 12.1 GB it needs, but no account for gcp is configured.',
  ],
  ['another accelerator', [vllm], 10e9, [machine], 'needs a GPU; this machine has none. Choose another model.'],
  [
    'an engine that this machine does not run',
    [tei],
    1e9,
    [machine],
    'needs TEI, which does not run on this machine. Choose another model.',
  ],
  [
    'a program that is not installed here',
    [gguf('a')],
    1e9,
    [
      {
        ...machine,
        lacks: {
          engines: { llamacpp: { sentence: 'This machine has no program. Install one.', canInstall: false } },
          vision: null,
        },
      },
    ],
    'this machine has no program. Install one.',
  ],
  [
    'the quota',
    [vllm],
    10e9,
    [cloudOffer({ quota: { maxAccelerators: 2, usedAccelerators: 2 } })],
    'the quota for gcp in us-east4 is used up: 2 of 2 accelerators are in use, and it needs 1. Pause or delete an endpoint there.',
  ],
  ['no offers', [vllm], 10e9, [], 'there is no compute to run it on. Choose another model.'],
] as const)('where nothing fits, it says what is missing: %s', (_what, recipes, weightBytes, offers, text) => {
  expect(refusal(entry(recipes, weightBytes), offers)).toEqual(new NoCompatibleCompute(`${nothing} ${text}`));
});

test('of several that are too small the largest is named, for the recipe that comes nearest', () => {
  const message = refusal(entry([gguf('a')], 42e9), [
    machine,
    { ...machine, id: 'local-other', vendor: 'lab', capacityBytes: 30e9 },
    { ...machine, id: 'local-third', capacityBytes: 1e9 },
  ])?.message;
  expect(message).toContain('needs 44.6 GB, the largest available is 30.0 GB (lab this-machine host x8)');
});
