import { expect, test } from 'vitest';
import type { CardProblem, CardProblemKind } from '../../contract/compute/graphics-cards.ts';
import { cardProblem } from '../../graphics-cards/card-problems.ts';
import type { KnownCard } from '../../graphics-cards/graphics-cards.ts';
import { wantsCardBuild } from './card-build.ts';

const card: KnownCard = {
  ...{ index: 0, name: 'A card', api: 'vulkan', driver: 'a driver', totalBytes: 8e9, freeBytes: 8e9 },
  ...{ sharesMemory: false, selector: null, device: null },
};

interface Found {
  readonly isOn?: boolean;
  readonly hasFailed?: boolean;
  readonly cards?: KnownCard[];
  readonly problem?: CardProblem | null;
}
const problem = (kind: CardProblemKind) => ({ problem: cardProblem(kind) });

test.each<[string, boolean, Found]>([
  ['that models can use', true, { cards: [card] }],
  ['that only the runner has no build for', true, problem('not-included')],
  ['that is not there', false, {}],
  ['that the user switched off', false, { cards: [card], isOn: false }],
  ['that the user switched off, without a runner', false, { isOn: false, ...problem('not-included') }],
  ['without a driver', false, problem('no-driver')],
  ['that failed', false, { cards: [card], hasFailed: true, ...problem('driver-crashed') }],
])('a card %s: %s', async (_, wanted, found) => {
  const all = { isOn: true, hasFailed: false, cards: [], problem: null, ...found };
  expect(await wantsCardBuild({ find: async () => all })).toBe(wanted);
});
