/** Properties of every selection, checked with seeded random models and offers. */
import { describe, expect, test } from 'vitest';
import { EngineType } from '../../contract/catalog/catalog.ts';
import { randomSelections, type SelectionCase } from '../../testing/random-selections.ts';
import { seededRandom } from '../../testing/seeded-random.ts';
import type { CardMemory, ComputeOffer } from '../compute/compute-offer.ts';
import { recipeNeeds } from './measured-memory.ts';
import { needBytes as needAt } from './memory-estimate.ts';
import { choiceComparator } from './recipe-comparators.ts';
import { selectOffer, selectRecipe } from './recipe-selection.ts';
import type { Considered, Selection } from './selection.ts';
import { noCompatibleCompute, reasonSentence } from './selection-reasons.ts';

const CASES = 2_000;
const random = seededRandom(20_261_122);
const { anyCase, anyOffer, anyOf, grown, shuffled } = randomSelections(random);

const isSentence = /^[A-Z].+\.$/;
const noWords = /NaN|undefined|null|Infinity/;

const cases = Array.from({ length: CASES }, () => anyCase());
const select = ({ entry, wanted, offers, measured }: SelectionCase) => selectRecipe(entry, wanted, offers, measured);

test('the cases are of all kinds', () => {
  const outcomes = Map.groupBy(cases, (one) => select(one).outcome);
  for (const outcome of ['chosen', 'nothing-fits', 'no-recipe'] as const) {
    expect(outcomes.get(outcome)?.length, outcome).toBeGreaterThan(CASES / 50);
  }
  const reasons = new Set(cases.flatMap((one) => rows(select(one)).map(({ reason }) => reason)));
  expect(reasons.size).toBe(12);
  const places = Map.groupBy(cases, (one) => chosenRow(select(one))?.place ?? null);
  for (const place of ['card', 'card-partly', 'processor', null] as const) {
    expect(places.get(place)?.length, `${place}`).toBeGreaterThan(CASES / 100);
  }
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
  test('never takes layers off the graphics card', () => {
    for (const one of cases) {
      const before = rows(select(one));
      const after = rows(select({ ...one, offers: one.offers.map(grown) }));
      for (const [index, { place, layers }] of before.entries()) {
        const then = after[index];
        if (place !== null) expect(then?.place).not.toBeNull();
        if (place === 'card') expect(then?.place).toBe('card');
        expect(then?.layers?.onCard ?? 0).toBeGreaterThanOrEqual(layers?.onCard ?? 0);
      }
    }
  });

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
    const sentences = rows(selection).map((row) => reasonSentence(row));
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
    const { recipe, offer, needBytes, ctxSize, capacityBytes, place, layers } = selection;
    expect(fitting).toContainEqual(expect.objectContaining({ recipe, offer, needBytes, capacityBytes, place, layers }));
    expect(needBytes).toBeLessThanOrEqual(capacityBytes);
    const { freeBytes, hostBytes } = (recipe.engineType === 'llamacpp' && offer.card) || noCard(offer);
    expect(capacityBytes).toBe(place === 'card-partly' ? freeBytes + hostBytes : freeBytes);
    expect(place !== null).toBe(offer.vendor === 'local' && offer.accelerator !== 'neuron');
    expect([recipe.accelerator, offer.hasProvider]).toEqual([offer.accelerator, true]);
    const need = recipeNeeds(one.entry, one.measured)(recipe)(offer);
    if (ctxSize === null || need === null) continue;
    expect(ctxSize).toBeGreaterThanOrEqual(need.minTokens);
    expect(ctxSize).toBeLessThanOrEqual(one.entry.facts.contextLength ?? 0);
    expect(needAt(need, 1, ctxSize)).toBeLessThanOrEqual(capacityBytes);
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

const noCard = ({ capacityBytes }: ComputeOffer): CardMemory => ({ freeBytes: capacityBytes, hostBytes: 0 });

function rows(selection: Selection) {
  return selection.outcome === 'no-recipe' ? [] : selection.considered;
}

function chosenRow(selection: Selection): Considered | null {
  if (selection.outcome !== 'chosen') return null;
  const isChosen = ({ recipe, offer }: Considered) => recipe === selection.recipe && offer === selection.offer;
  return selection.considered.find(isChosen) ?? null;
}
