import { describe, expect, test } from 'vitest';
import type { Recipe } from '../../contract/catalog/catalog.ts';
import { ConsideredRecipe, Fit } from '../../contract/catalog/models.ts';
import { cardWith, cloudOffer, graphicsCard, machine, someModel } from '../../testing/models/some-models.ts';
import type { ComputeOffer } from '../compute/compute-offer.ts';
import { consideredRecipes, fitOf } from './model-fit.ts';
import { selectRecipe } from './recipe-selection.ts';

const cloud = cloudOffer({ hasProvider: false });
const q4: Recipe = { publicId: 'm--q4', accelerator: 'cpu', engineType: 'llamacpp', ggufFile: 'q4.gguf' };
const q8: Recipe = { publicId: 'm--q8', accelerator: 'cpu', engineType: 'llamacpp', ggufFile: 'q8.gguf' };
const gguf = (publicId: string, accelerator: 'cpu' | 'gpu'): Recipe => ({
  ...{ publicId, accelerator, engineType: 'llamacpp', ggufFile: `${publicId}.gguf` },
});
const vllm: Recipe = { publicId: 'm--vllm', accelerator: 'gpu', engineType: 'vllm' };

const here = {
  id: 'local-this-machine-host-x8',
  label: 'this machine',
  provider: { vendor: 'local', region: 'this-machine' },
  accelerator: 'cpu',
  instanceType: 'host',
  instanceSize: 'x8',
  pricePerHour: 0,
};

const entry = (recipes: readonly Recipe[]) =>
  someModel({ recipes: [...recipes] }, { weightBytes: { 'm--q4': 5e9, 'm--q8': 40e9, 'm--vllm': 10e9 } });
const select = (recipes: readonly Recipe[], offers = [machine, cloud]) => selectRecipe(entry(recipes), {}, offers);

test('a fitting model has the place and its memory there', () => {
  const fit = fitOf(select([q4, vllm]));
  expect(Fit.parse(fit)).toEqual({
    ...{ fits: true, tight: false, lacksRuntime: false, canInstall: false },
    publicId: 'm--q4',
    offer: here,
    needBytes: 5e9 + 768 * 1024 ** 2,
    capacityBytes: 20.4e9,
    ...{ place: 'processor', layers: null },
    sentence: 'Fits this machine: 5.8 of 20.4 GB.',
  });
});

describe('on the graphics card', () => {
  const [small, large] = [gguf('small', 'gpu'), gguf('large', 'gpu')];
  const facts = { weightBytes: { small: 5e9, large: 12e9 }, arch: { layers: 32, kvHeads: 8, headDim: 128 } };
  const on = (offer: ComputeOffer) => {
    const model = someModel({ recipes: [small, large] }, facts);
    const selection = selectRecipe(model, {}, [offer]);
    return { fit: fitOf(selection), table: consideredRecipes(model.item, selection) };
  };
  const placing = ({ place, layers }: Pick<Fit, 'place' | 'layers'>) => ({ place, layers });

  test('a model fits whole, in the fit and in each row of the table', () => {
    const { fit, table } = on(graphicsCard);
    const whole = { place: 'card', layers: { onCard: 33, all: 33 } };
    const partly = { place: 'card-partly', layers: { onCard: 19, all: 33 } };
    expect(Fit.parse(fit)).toMatchObject({
      ...{ publicId: 'small', capacityBytes: 9e9, tight: false, ...whole },
      sentence: 'Fits the graphics card: 6.9 of 9.0 GB.',
    });
    expect(table.map(placing)).toEqual([whole, partly]);
    expect(table.map(({ considered }) => considered.map(placing))).toEqual([[whole], [partly]]);
    for (const row of table) expect(ConsideredRecipe.parse(row)).toEqual(row);
  });

  test('a model that fits partly has its layers, and the memory of both', () => {
    expect(on(cardWith(5e9, 20e9)).fit).toMatchObject({
      ...{ fits: true, publicId: 'small', capacityBytes: 25e9 },
      ...{ place: 'card-partly', layers: { onCard: 22, all: 33 } },
      sentence: 'Partly fits the graphics card, 22 of 33 layers: slower than a model that fits whole.',
    });
  });

  test('a model that does not fit is nowhere', () => {
    const { fit, table } = on(cardWith(1e9, 1e9));
    const nowhere = { fits: false, place: null, layers: null };
    expect([fit, ...table]).toMatchObject([nowhere, nowhere, nowhere]);
  });

  test('a model in a container is there too, without a number of layers', () => {
    const { card: _, ...forContainers } = graphicsCard;
    const fitOn = (recipe: Recipe, offer: ComputeOffer) => fitOf(select([recipe], [{ ...offer, engines: null }]));
    const inContainer = { place: 'card', layers: null, capacityBytes: 9e9 };
    const small = { ...vllm, publicId: 'm--q4' };
    expect(fitOn({ ...q4, accelerator: 'gpu' }, forContainers)).toMatchObject(inContainer);
    expect(fitOn(small, { ...graphicsCard, card: { freeBytes: 1, hostBytes: 1 } })).toMatchObject(inContainer);
    expect(fitOn(small, cloudOffer())).toMatchObject({ fits: true, place: null, layers: null });
  });
});

test('the answers of earlier versions, without the place, are accepted', () => {
  const withoutPlace = <T extends Partial<Fit>>(one: T): Omit<T, 'place' | 'layers'> => {
    const { place: _, layers: __, ...rest } = one;
    return rest;
  };
  const selection = select([q8]);
  const fit = fitOf(selection);
  expect(Fit.parse(withoutPlace(fit))).toEqual({ ...fit, place: null, layers: null });
  const [row] = consideredRecipes(entry([q8]).item, selection);
  if (row === undefined) throw new Error('There is one.');
  const earlier = { ...withoutPlace(row), considered: row.considered.map(withoutPlace) };
  expect(ConsideredRecipe.parse(earlier)).toEqual(row);
});

test('a model that takes more than four fifths of the memory is tight', () => {
  const fitIn = (capacityBytes: number) => fitOf(select([q4], [{ ...machine, capacityBytes }])).tight;
  expect([fitIn(7.3e9), fitIn(7.2e9)]).toEqual([false, true]);
});

test('a model that no program here runs does not fit, and says so', () => {
  const vision = { sentence: 'It reads images, which needs llama-server. Install it.', canInstall: true };
  const lacks = { engines: {}, vision };
  const here = { ...machine, lacks };
  expect(fitOf(select([q4], [here])).fits).toBe(true);
  const seeing = someModel({ recipes: [q4] }, { weightBytes: { 'm--q4': 5e9 }, mmprojFile: 'eyes.gguf' });
  expect(fitOf(selectRecipe(seeing, {}, [here]))).toMatchObject({
    ...{ fits: false, lacksRuntime: true, canInstall: true, sentence: vision.sentence },
  });
  const forever = { ...machine, lacks: { ...lacks, vision: { ...vision, canInstall: false } } };
  expect(fitOf(selectRecipe(seeing, {}, [forever]))).toMatchObject({ fits: false, canInstall: false });
  expect(
    fitOf(
      select([q8], [{ ...machine, lacks: { engines: { llamacpp: { ...vision, sentence: 'None.' } }, vision: null } }]),
    ),
  ).toMatchObject({
    ...{
      lacksRuntime: false,
      canInstall: false,
      sentence: 'Needs 42.5 GB, 22.1 GB more than this machine has for it.',
    },
  });
  const cpuOnly = { ...vllm, accelerator: 'cpu' } as const;
  expect(fitOf(select([cpuOnly]))).toMatchObject({
    ...{ lacksRuntime: true, canInstall: false, sentence: 'Needs vLLM, which does not run on this machine.' },
  });
});

test('a model that does not fit has the missing memory', () => {
  const none = {
    ...{ fits: false, tight: false, lacksRuntime: false, canInstall: false, publicId: null, offer: null },
    ...{ place: null, layers: null },
  };
  expect(fitOf(select([q8]))).toMatchObject({
    ...none,
    capacityBytes: 20.4e9,
    sentence: 'Needs 42.5 GB, 22.1 GB more than this machine has for it.',
  });
  expect(fitOf(select([q8]), 'm-small').sentence).toBe(
    'Needs 42.5 GB, 22.1 GB more than this machine has for it; m-small fits.',
  );
  expect(fitOf(select([vllm]), 'm-small')).toMatchObject({ ...none, sentence: 'Needs a GPU; this machine has none.' });
  expect(fitOf(select([vllm], [cloud]))).toMatchObject({
    ...none,
    sentence: 'Needs 12.1 GB; gcp us-east4 nvidia-l4 x1 has 21.6 GB, but no account for gcp is configured.',
  });
  const unknown = { ...none, needBytes: null, capacityBytes: null };
  expect(fitOf(select([vllm], []))).toEqual({ ...unknown, sentence: 'There is no compute to run it on.' });
  expect(fitOf(select([]))).toEqual({ ...unknown, sentence: 'The catalog has no recipe for it.' });
});

test('the table says which recipes are tight, and which lack a program', () => {
  const rowOf = (change: object) => {
    const [row] = consideredRecipes(entry([q4]).item, select([q4], [{ ...machine, ...change }]));
    return row && { fits: row.fits, tight: row.tight, lacksRuntime: row.lacksRuntime, canInstall: row.canInstall };
  };
  expect(rowOf({})).toEqual({ fits: true, tight: false, lacksRuntime: false, canInstall: false });
  expect(rowOf({ capacityBytes: 7.2e9 })).toEqual({ fits: true, tight: true, lacksRuntime: false, canInstall: false });
  expect(rowOf({ capacityBytes: 1e9 })).toEqual({ fits: false, tight: false, lacksRuntime: false, canInstall: false });
  const lacksOf = (canInstall: boolean) => ({
    engines: { llamacpp: { sentence: 'There is no program.', canInstall } },
    vision: null,
  });
  const lacks = lacksOf(true);
  const lacking = { fits: false, tight: false, lacksRuntime: true, canInstall: true };
  expect(rowOf({ lacks })).toEqual(lacking);
  expect(rowOf({ lacks: lacksOf(false) })).toEqual({ ...lacking, canInstall: false });
  expect(rowOf({ lacks, capacityBytes: 1e9 })).toMatchObject({ lacksRuntime: false, canInstall: false });
});

test('the table has every recipe in catalog order, with every offer, the nearest to fitting first', () => {
  const recipes = [vllm, q8, q4];
  const table = consideredRecipes(entry(recipes).item, select(recipes));
  for (const row of table) expect(ConsideredRecipe.parse(row)).toEqual(row);
  expect(
    table.map(({ recipe, isChosen, fits, offer, reason, considered }) => ({
      publicId: recipe.publicId,
      isChosen,
      fits,
      offer: offer?.label ?? null,
      reason,
      considered: considered.map((one) => `${one.offer.label}: ${one.fits ? 'fits' : one.reason}`),
    })),
  ).toEqual([
    {
      publicId: 'm--vllm',
      isChosen: false,
      fits: false,
      offer: null,
      reason: 'Needs a GPU; this machine has none.',
      considered: [
        'gcp us-east4 nvidia-l4 x1: Needs 12.1 GB; gcp us-east4 nvidia-l4 x1 has 21.6 GB, but no account for gcp is configured.',
        'this machine: Needs a GPU; this machine has none.',
      ],
    },
    {
      publicId: 'm--q8',
      isChosen: false,
      fits: false,
      offer: null,
      reason: 'Needs 42.5 GB, 22.1 GB more than this machine has for it; q4.gguf fits.',
      considered: [
        'this machine: Needs 42.5 GB, 22.1 GB more than this machine has for it.',
        'gcp us-east4 nvidia-l4 x1: Made for a CPU; gcp us-east4 nvidia-l4 x1 runs on a GPU.',
      ],
    },
    {
      publicId: 'm--q4',
      isChosen: true,
      fits: true,
      offer: 'this machine',
      reason: 'Needs 5.8 GB; this machine has 20.4 GB for it.',
      considered: [
        'this machine: fits',
        'gcp us-east4 nvidia-l4 x1: Made for a CPU; gcp us-east4 nvidia-l4 x1 runs on a GPU.',
      ],
    },
  ]);
});

test('of the places where a recipe fits, the one it would be deployed to comes first', () => {
  const dear = { ...machine, id: 'a', vendor: 'aws', pricePerHour: 1, capacityBytes: 100e9 };
  const [row] = consideredRecipes(entry([q4]).item, select([q4], [dear, machine]));
  expect(row?.considered.map(({ offer }) => offer.id)).toEqual([machine.id, 'a']);
  expect(row?.offer?.id).toBe(machine.id);
});
