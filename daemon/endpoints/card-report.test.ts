import { expect, test } from 'vitest';
import type { CardProblem } from '../contract/compute/graphics-cards.ts';
import { cardProblem } from '../graphics-cards/card-problems.ts';
import type { KnownCard } from '../graphics-cards/graphics-cards.ts';
import { cardReport } from './card-report.ts';

const card: KnownCard = {
  ...{ index: 0, name: 'A card', api: 'vulkan', driver: null, sharesMemory: false, selector: '0', device: null },
  ...{ totalBytes: 8e9, freeBytes: 7e9 },
};
const use = { card: 'A card', layers: 3, totalLayers: 3, memoryBytes: 2e9 };
const { selector: _, device: __, ...shown } = card;

interface Machine {
  readonly isOn?: boolean;
  readonly cards?: readonly KnownCard[];
  readonly problem?: CardProblem | null;
  readonly hasFailed?: boolean;
  /** Why a card did not answer when it was measured. */
  readonly silent?: CardProblem | null;
}

function reportOf({ isOn = true, cards = [card], problem = null, hasFailed = false, silent = null }: Machine) {
  const found = async () => ({ isOn, cards: [...cards], problem, hasFailed });
  return cardReport(true, {
    cards: { measureAll: async () => silent, find: found, known: found },
    places: { freeBytes: () => 5e9 },
    supervisor: { cardUsers: () => [{ index: 0, namespace: 'lab', name: 'poet', use }] },
    usagePercent: async (names) => names.length,
  });
}

test('a card has what models leave of its memory, the endpoints on it, and how busy it is', async () => {
  expect(await reportOf({})).toEqual({
    ...{ isOn: true, problem: null, canTryAgain: false, usagePercent: 1 },
    cards: [{ ...shown, freeBytes: 5e9, users: [{ namespace: 'lab', name: 'poet', use }] }],
  });
});

test('without a card nothing is said about its use', async () => {
  expect(await reportOf({ cards: [] })).toMatchObject({ cards: [], usagePercent: null });
});

const lost = cardProblem('card-lost');

test.each<[string, Machine, CardProblem | null, boolean]>([
  ['that failed in use', { problem: lost, hasFailed: true }, lost, true],
  ['that does not answer now', { silent: lost }, lost, true],
  ['that failed, while it is switched off', { problem: lost, hasFailed: true, isOn: false }, null, false],
  ['that no program here can use', { problem: cardProblem('not-included') }, cardProblem('not-included'), false],
])('a card %s', async (_what, machine, problem, canTryAgain) => {
  expect(await reportOf(machine)).toMatchObject({ problem, canTryAgain });
});
