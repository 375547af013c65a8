import { cardProblem } from '../../graphics-cards/card-problems.ts';
import type { FoundCards } from '../../graphics-cards/graphics-cards.ts';

const none: FoundCards & { readonly isOn: boolean; readonly hasFailed: boolean } = {
  ...{ isOn: true, cards: [], problem: null, hasFailed: false },
};

/** A machine without a graphics card. */
export const noGraphicsCards = { find: async () => none };

/** The same for the plans of replicas. */
export const noCardPlaces = {
  cards: { failed: async () => {} },
  places: { take: async () => cardProblem('no-card') },
  placed: async () => {},
};
