import { expect, test } from 'vitest';
import type { CardProblem, CardProblemKind } from '../../contract/compute/graphics-cards.ts';
import { cardProblem } from '../../graphics-cards/card-problems.ts';
import type { KnownCard } from '../../graphics-cards/graphics-cards.ts';
import { wantsCardBuild } from './card-build.ts';

const card: KnownCard = {
  ...{ index: 0, name: 'A card', api: 'vulkan', driver: 'a driver', totalBytes: 8e9, freeBytes: 8e9 },
  ...{ sharesMemory: false, selector: null },
};

interface Found {
  readonly isOn?: boolean;
  readonly hasFailed?: boolean;
  readonly cards?: KnownCard[];
  readonly problem?: CardProblem | null;
}

/** @param kernel why models use no card, by the kernel; null: it knows none */
function wants(found: Found, kernel: CardProblemKind | null, arch = 'x64') {
  const all = { isOn: true, hasFailed: false, cards: [], problem: null, ...found };
  const ofKernel = async () => (kernel === null ? null : cardProblem(kernel));
  return wantsCardBuild({ cards: { find: async () => all }, platform: 'linux', arch, ofKernel });
}
const problem = (kind: CardProblemKind) => ({ problem: cardProblem(kind) });

test.each<[string, boolean, Found]>([
  ['that models can use', true, { cards: [card] }],
  ['none', false, {}],
  ['that the user switched off', false, { cards: [card], isOn: false }],
  ['without a driver', false, problem('no-driver')],
  ['that failed', false, { cards: [card], hasFailed: true, ...problem('driver-crashed') }],
])('the runner decides: a card %s, %s', async (_, wanted, found) => {
  expect(await wants(found, 'no-driver')).toBe(wanted);
});

test.each<[CardProblemKind | null, boolean]>([
  ['no-driver', true], // the runner's own, not the system's
  ['no-access', false],
  [null, false],
])('where no runner can tell, the kernel does: %s, %s', async (kernel, wanted) => {
  expect(await wants(problem('not-included'), kernel)).toBe(wanted);
  expect(await wants(kernel === null ? {} : problem(kernel), kernel, 'arm64')).toBe(wanted);
  expect(await wants({ isOn: false, ...problem('not-included') }, kernel)).toBe(false);
});
