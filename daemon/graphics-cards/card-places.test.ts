import { expect, test } from 'vitest';
import type { CardProblem } from '../contract/compute/graphics-cards.ts';
import { CardPlaces } from './card-places.ts';
import { cardProblem } from './card-problems.ts';
import type { KnownCard } from './graphics-cards.ts';

const GiB = 1024 ** 3;
const signal = new AbortController().signal;
const shaders = { variables: {}, has: async () => false, add: async () => {} };

function card(index: number, totalBytes: number, freeBytes = totalBytes): KnownCard {
  const name = `Card ${index}`;
  return {
    index,
    name,
    api: 'vulkan',
    driver: null,
    totalBytes,
    freeBytes,
    sharesMemory: false,
    selector: `${index}`,
    device: null,
  };
}

function placesOn(...cards: KnownCard[]) {
  return new CardPlaces({
    cards: {
      find: async () => ({ isOn: true, cards, problem: null, hasFailed: false }),
      measure: async (one) => one,
    },
    compiled: async () => ({ ...shaders, variables: { CACHE: '/cache' } }),
  });
}

async function taken(places: CardPlaces, wanted: number | null = null) {
  const place = await places.take(wanted, signal);
  if ('kind' in place) throw new Error(place.message);
  return place;
}

test('the card with the most memory is taken, unless another one is named', async () => {
  const places = placesOn(card(0, 4 * GiB), card(1, 8 * GiB));
  const first = await taken(places);
  expect([first.card.index, first.variables]).toEqual([1, { CACHE: '/cache', GGML_VK_VISIBLE_DEVICES: '1' }]);
  first.ended();
  expect((await taken(places, 0)).card.index).toBe(0);
});

test('a card that is not there is refused by its number, and the next one is not kept waiting', async () => {
  const places = placesOn(card(0, 4 * GiB));
  expect(await places.take(7, signal)).toMatchObject({
    message: expect.stringContaining('There is no graphics card 7'),
  });
  expect((await taken(places)).card.index).toBe(0);
});

test('two that start at once do not count the same memory, also where the driver does not measure', async () => {
  const places = placesOn(card(0, 8 * GiB));
  const first = await taken(places);
  let second: Awaited<ReturnType<typeof taken>> | null = null;
  const waiting = taken(places).then((place) => {
    second = place;
  });
  await new Promise(setImmediate);
  expect([first.freeBytes, second]).toEqual([8 * GiB, null]);
  first.loaded(() => 5 * GiB);
  await waiting;
  expect(second).toMatchObject({ freeBytes: 3 * GiB });
});

test('a driver that measures less than that is believed', async () => {
  const places = placesOn(card(0, 8 * GiB, 2 * GiB));
  const first = await taken(places);
  first.loaded(() => 1 * GiB);
  expect((await taken(places)).freeBytes).toBe(2 * GiB);
});

test('a model that is gone frees its memory, and lets the next one start also when it never loaded', async () => {
  const places = placesOn(card(0, 8 * GiB));
  const first = await taken(places);
  first.loaded(() => 5 * GiB);
  first.ended();
  const second = await taken(places);
  expect(second.freeBytes).toBe(8 * GiB);
  second.ended();
  expect((await taken(places)).freeBytes).toBe(8 * GiB);
});

test('a start tells that it waits for another one on its card, and does not wait for those on others', async () => {
  const places = placesOn(card(0, 8 * GiB), card(1, 4 * GiB));
  const first = await taken(places, 0);
  const waits: boolean[] = [];
  const waiting = places.take(0, signal, (isWaiting) => waits.push(isWaiting));
  const other = await places.take(1, signal, (isWaiting) => waits.push(isWaiting));
  expect([other, waits]).toMatchObject([{ card: { index: 1 } }, [true]]);
  first.loaded(() => GiB);
  expect([await waiting, waits]).toMatchObject([{ card: { index: 0 } }, [true, false]]);
});

test('a start that waited does not use a card that failed meanwhile', async () => {
  let problem: CardProblem | null = null;
  const places = new CardPlaces({
    cards: {
      find: async () => ({ isOn: true, cards: [card(0, 8 * GiB)], problem, hasFailed: problem !== null }),
      measure: async (one) => one,
    },
    compiled: async () => shaders,
  });
  const first = await taken(places);
  const waiting = places.take(null, signal);
  await new Promise(setImmediate);
  problem = cardProblem('driver-crashed', 'SIGSEGV');
  first.ended();
  expect(await waiting).toEqual(problem);
});

test('a start that is given up while it waits takes no place', async () => {
  const places = placesOn(card(0, 8 * GiB));
  const first = await taken(places);
  const giveUp = new AbortController();
  const waiting = places.take(null, giveUp.signal);
  giveUp.abort(new Error('stopped'));
  await expect(waiting).rejects.toThrow('stopped');
  first.ended();
  expect((await taken(places)).freeBytes).toBe(8 * GiB);
});

test('a start that fails before it has its place lets the next one start', async () => {
  let fails = true;
  const places = new CardPlaces({
    cards: {
      find: async () => ({ isOn: true, cards: [card(0, 8 * GiB)], problem: null, hasFailed: false }),
      measure: async (one) => one,
    },
    compiled: async () => {
      if (fails) throw new Error('a bug');
      return shaders;
    },
  });
  await expect(places.take(null, signal)).rejects.toThrow('a bug');
  fails = false;
  expect((await taken(places)).freeBytes).toBe(8 * GiB);
});

test('a card without free memory has no place', async () => {
  const places = placesOn(card(0, 8 * GiB));
  const first = await taken(places);
  first.loaded(() => 8 * GiB);
  expect(await places.take(null, signal)).toEqual(cardProblem('no-memory'));
  first.ended();
  expect((await taken(places)).freeBytes).toBe(8 * GiB);
});

test('no card is used, and no driver asked, while the user has switched them off', async () => {
  const places = new CardPlaces({
    cards: {
      find: async () => ({ isOn: false, cards: [card(0, 8 * GiB)], problem: null, hasFailed: false }),
      measure: () => Promise.reject(new Error('asked')),
    },
    compiled: async () => shaders,
  });
  expect(await places.take(null, signal)).toEqual(cardProblem('switched-off'));
});

test('a card that is not found, or cannot be measured, is told', async () => {
  const find = async () => ({ isOn: true, cards: [card(0, 8 * GiB)], problem: null, hasFailed: false });
  const lost = cardProblem('card-lost');
  const crashed = cardProblem('driver-crashed', 'SIGSEGV');
  const compiled = async () => shaders;
  const places = (more: object) =>
    new CardPlaces({ cards: { find, measure: async () => lost, ...more }, compiled }).take(null, signal);
  expect(await places({})).toEqual(lost);
  expect(await places({ find: async () => ({ ...(await find()), problem: crashed }) })).toEqual(crashed);
  expect(await places({ find: async () => ({ ...(await find()), cards: [] }) })).toEqual(cardProblem('no-card'));
});
