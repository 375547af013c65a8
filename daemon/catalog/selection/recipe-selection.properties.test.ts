/** Properties of every selection, checked with seeded random models and offers. */
import { describe, expect, test } from 'vitest';
import { Accelerator, EngineType, type Recipe } from '../../contract/catalog/catalog.ts';
import { OfferStatus } from '../../contract/compute/hardware.ts';
import { seededRandom } from '../../testing/seeded-random.ts';
import type { CatalogEntry, ModelFacts } from '../catalog-entry.ts';
import type { ComputeOffer, Lacks } from '../compute/compute-offer.ts';
import { type MeasuredMemory, type MemoryMeasurement, recipeNeeds } from './measured-memory.ts';
import { needBytes as needAt } from './memory-estimate.ts';
import { choiceComparator } from './recipe-comparators.ts';
import { selectOffer, selectRecipe } from './recipe-selection.ts';
import type { Considered, Selection, WantedRecipe } from './selection.ts';
import { noCompatibleCompute, reasonSentence } from './selection-reasons.ts';

const CASES = 2_000;
const random = seededRandom(20_261_122);

const isSentence = /^[A-Z].+\.$/;
const noWords = /NaN|undefined|null|Infinity/;

interface Case {
  readonly entry: CatalogEntry;
  readonly wanted: WantedRecipe;
  readonly offers: readonly ComputeOffer[];
  readonly measured: MeasuredMemory;
}

const cases = Array.from({ length: CASES }, anyCase);
const select = ({ entry, wanted, offers, measured }: Case) => selectRecipe(entry, wanted, offers, measured);

test('the cases are of all kinds', () => {
  const outcomes = Map.groupBy(cases, (one) => select(one).outcome);
  for (const outcome of ['chosen', 'nothing-fits', 'no-recipe'] as const) {
    expect(outcomes.get(outcome)?.length, outcome).toBeGreaterThan(CASES / 50);
  }
  const reasons = new Set(cases.flatMap((one) => rows(select(one)).map(({ reason }) => reason)));
  expect(reasons.size).toBe(12);
});

test('the order of recipes and offers does not change the result', () => {
  for (const one of cases) {
    const item = { ...one.entry.item, recipes: shuffled(one.entry.item.recipes) };
    const other = select({ ...one, entry: { ...one.entry, item }, offers: shuffled(one.offers) });
    expect(other).toEqual(select(one));
  }
});

test('a place that costs nothing is chosen wherever one fits', () => {
  let count = 0;
  for (const one of cases) {
    const selection = select(one);
    const free = rows(selection).some(({ offer, reason }) => reason === 'fits' && offer.pricePerHour === 0);
    if (!free || selection.outcome !== 'chosen') continue;
    count += 1;
    expect(selection.offer.pricePerHour).toBe(0);
  }
  expect(count).toBeGreaterThan(CASES / 50);
});

describe('the choice never ranks lower', () => {
  /** @returns the number of cases in which it ranks higher than before */
  function improvements(change: (offer: ComputeOffer) => ComputeOffer, isMore = false): number {
    let count = 0;
    for (const one of cases) {
      const before = chosenRow(select(one));
      const offers = one.offers.map(change);
      const after = chosenRow(select({ ...one, offers: isMore ? [...one.offers, ...offers] : offers }));
      if (before === null && after !== null) count += 1;
      if (before === null) continue;
      expect(after).not.toBeNull();
      if (after === null) continue;
      const order = choiceComparator(one.entry)(after, before);
      expect(order).toBeLessThanOrEqual(0);
      if (order < 0) count += 1;
    }
    return count;
  }

  test('with more memory', () => expect(improvements(grown)).toBeGreaterThan(CASES / 100));

  test('with another account, or more quota', () => {
    const withAccount = (offer: ComputeOffer): ComputeOffer =>
      random() < 0.5 ? offer : { ...offer, hasProvider: true, quota: { maxAccelerators: 64, usedAccelerators: 0 } };
    expect(improvements(withAccount)).toBeGreaterThan(CASES / 100);
  });

  test('with another program', () => {
    const withProgram = (offer: ComputeOffer): ComputeOffer => {
      const engines = offer.engines && [...offer.engines, anyOf(EngineType.options)];
      const { lacks: _, ...whole } = { ...offer, engines };
      return random() < 0.5 ? whole : { ...offer, engines };
    };
    expect(improvements(withProgram)).toBeGreaterThan(CASES / 100);
  });

  test('with more offers', () => {
    let index = 100;
    expect(improvements(() => anyOffer(index++), true)).toBeGreaterThan(CASES / 100);
  });
});

describe('more memory', () => {
  test('never makes the context shorter', () => {
    for (const { entry, offers, measured } of cases) {
      const [recipe, offer] = [entry.item.recipes[0], offers[0]];
      if (!recipe || !offer) continue;
      const before = selectOffer(entry, recipe, [offer], measured);
      const after = selectOffer(entry, recipe, [grown(offer)], measured);
      if (before.outcome !== 'chosen' || after.outcome !== 'chosen') continue;
      expect(after.ctxSize ?? 0).toBeGreaterThanOrEqual(before.ctxSize ?? 0);
    }
  });
});

test('every recipe is considered once on every offer, with a reason that has a sentence', () => {
  for (const one of cases) {
    const selection = select(one);
    if (selection.outcome === 'no-recipe') continue;
    const pairs = one.entry.item.recipes.flatMap((recipe) => one.offers.map(({ id }) => `${recipe.publicId} ${id}`));
    expect(rows(selection).map(({ recipe, offer }) => `${recipe.publicId} ${offer.id}`)).toEqual(pairs.toSorted());
    const sentences = rows(selection).map(reasonSentence);
    expect(sentences.filter((text) => !isSentence.test(text) || noWords.test(text))).toEqual([]);
  }
});

test('the chosen row is one of those considered and fits with its context; else no row fits', () => {
  for (const one of cases) {
    const selection = select(one);
    const fitting = rows(selection).filter(({ reason }) => reason === 'fits');
    if (selection.outcome !== 'chosen') {
      expect(fitting).toEqual([]);
      continue;
    }
    const { recipe, offer, needBytes, ctxSize } = selection;
    expect(fitting).toContainEqual(expect.objectContaining({ recipe, offer, needBytes }));
    expect(needBytes).toBeLessThanOrEqual(offer.capacityBytes);
    expect([recipe.accelerator, offer.hasProvider]).toEqual([offer.accelerator, true]);
    const need = recipeNeeds(one.entry, one.measured)(recipe)(offer);
    if (ctxSize === null || need === null) continue;
    expect(ctxSize).toBeGreaterThanOrEqual(need.minTokens);
    expect(ctxSize).toBeLessThanOrEqual(one.entry.facts.contextLength ?? 0);
    expect(needAt(need, 1, ctxSize)).toBeLessThanOrEqual(offer.capacityBytes);
  }
});

test('a recipe requested by id gets the same place', () => {
  for (const one of cases) {
    const selection = select(one);
    if (selection.outcome !== 'chosen') continue;
    const { recipe, offer } = selection;
    const again = selectOffer(one.entry, recipe, one.offers, one.measured);
    expect(again).toMatchObject({ outcome: 'chosen', recipe, offer });
  }
});

test('the closest miss is available, and the largest of those that are too small', () => {
  for (const one of cases) {
    const selection = select(one);
    if (selection.outcome !== 'nothing-fits') continue;
    const { closestMiss, withAccount, considered } = selection;
    expect(noCompatibleCompute(selection).message).toMatch(/^No compatible compute found for the model: .+\.$/);
    expect(withAccount === null).toBe(considered.every(({ reason }) => reason !== 'no-account'));
    expect(closestMiss === null).toBe(one.offers.every(({ hasProvider }) => !hasProvider));
    if (closestMiss?.reason !== 'too-small') continue;
    const others = considered.filter(
      ({ recipe, offer, reason }) => recipe === closestMiss.recipe && offer.hasProvider && reason === 'too-small',
    );
    expect(Math.max(...others.map(({ capacityBytes }) => capacityBytes))).toBe(closestMiss.capacityBytes);
  }
});

function rows(selection: Selection) {
  return selection.outcome === 'no-recipe' ? [] : selection.considered;
}

function chosenRow(selection: Selection): Considered | null {
  if (selection.outcome !== 'chosen') return null;
  const isChosen = ({ recipe, offer }: Considered) => recipe === selection.recipe && offer === selection.offer;
  return selection.considered.find(isChosen) ?? null;
}

function anyCase(): Case {
  const recipes = Array.from({ length: below(9) }, (_, index) => anyRecipe(index));
  const repoId = `someone/model-${below(1e6)}`;
  const item = {
    modelName: 'model',
    createdAt: '2026-01-01T00:00:00.000Z',
    authorName: 'someone',
    license: 'mit',
    repoId,
    task: anyOf(['text-generation', 'feature-extraction', 'text-to-image']),
    recipes,
  };
  return {
    entry: { item, facts: anyFacts(recipes) },
    wanted: {
      ...(random() < 0.3 ? { accelerator: anyOf(Accelerator.options) } : {}),
      ...(random() < 0.1 ? { ggufFile: anyOf(['a.gguf', 'b.gguf']) } : {}),
    },
    offers: Array.from({ length: below(12) }, (_, index) => anyOffer(index)),
    measured: anyMeasurements(recipes),
  };
}

function anyRecipe(index: number): Recipe {
  const engineType = anyOf(EngineType.options);
  return {
    publicId: `model--${below(100)}-${index}`,
    accelerator: anyOf(Accelerator.options),
    engineType,
    ...(engineType === 'llamacpp' ? { ggufFile: anyOf(['a.gguf', 'folder/a.gguf', 'b.gguf']) } : {}),
  };
}

function anyFacts(recipes: readonly Recipe[]): ModelFacts {
  const weights = recipes.flatMap(({ publicId }) => (random() < 0.85 ? [[publicId, anySize()] as const] : []));
  return {
    weightBytes: Object.fromEntries(weights),
    ...(random() < 0.8 ? { parameterCount: anyOf([1e8, 999e6, 1e9, 8e9, 70e9]) } : {}),
    ...(random() < 0.8 ? { contextLength: anyOf([448, 4096, 8192, 10_000, 40_960, 131_072]) } : {}),
    ...(random() < 0.5 ? { nativeDtype: anyOf(['bf16', 'f16', 'f32', 'mxfp4']) } : {}),
    ...(random() < 0.1 ? { mmprojFile: 'eyes.gguf' } : {}),
    ...(random() < 0.7
      ? {
          arch: {
            layers: 1 + below(80),
            kvHeads: anyOf([1, 2, 8]),
            headDim: anyOf([64, 128]),
            ...(random() < 0.5 ? { heads: anyOf([14, 32, 40]) } : {}),
          },
        }
      : {}),
  };
}

function anyOffer(index: number): ComputeOffer {
  const vendor = anyOf(['local', 'aws', 'gcp']);
  const numAccelerators = anyOf([1, 1, 2, 4, 8]);
  return {
    id: `${vendor}-${below(100)}-${index}`,
    vendor,
    region: anyOf(['this-machine', 'there']),
    accelerator: anyOf(Accelerator.options),
    instanceType: 'type',
    instanceSize: `x${numAccelerators}`,
    architecture: 'some',
    numAccelerators,
    numCpus: null,
    memoryBytes: null,
    acceleratorMemoryBytes: null,
    capacityBytes: random() < 0.05 ? 0 : anySize() * 2,
    pricePerHour: anyOf([0, 0.5, 0.5, 0.8, 10]),
    status: anyOf([...OfferStatus.options, 'available', 'available', 'available']),
    quota: { maxAccelerators: anyOf([1, 8, 16]), usedAccelerators: anyOf([0, 0, 8]) },
    hasProvider: random() < 0.6,
    engines: random() < 0.2 ? ['llamacpp'] : null,
    ...(random() < 0.2 ? { lacks: anyLacks() } : {}),
  };
}

function anyMeasurements(recipes: readonly Recipe[]): MeasuredMemory {
  const any = (): MemoryMeasurement => ({
    bytes: anySize(),
    contextTokens: anyOf([null, 448, 8192, 32_768, 131_072]),
    isProven: random() < 0.7,
  });
  const measured = new Map(recipes.map((recipe) => [recipe.publicId, Array.from({ length: below(3) }, any)]));
  return { of: (_repoId, { publicId }) => measured.get(publicId) ?? [] };
}

function anyLacks(): Lacks {
  const engines = EngineType.options.filter(() => random() < 0.5);
  const lack = { sentence: 'Install it.', canInstall: random() < 0.5 };
  return { engines: Object.fromEntries(engines.map((engine) => [engine, lack])), vision: anyOf([null, lack]) };
}

/** From 10 MB to 200 GB, as many small as large sizes; sometimes a repeated one. */
function anySize(): number {
  return random() < 0.1 ? 5e9 : Math.round(1e7 * 20_000 ** random());
}

function grown(offer: ComputeOffer): ComputeOffer {
  return random() < 0.5
    ? offer
    : { ...offer, capacityBytes: offer.capacityBytes * (1 + 3 * random()) + below(2) * 1e9 };
}

function below(limit: number): number {
  return Math.floor(random() * limit);
}

function anyOf<T>(values: readonly T[]): T {
  return values[below(values.length)] as T;
}

function shuffled<T>(values: readonly T[]): T[] {
  return values
    .map((value) => ({ value, place: random() }))
    .sort((a, b) => a.place - b.place)
    .map(({ value }) => value);
}
