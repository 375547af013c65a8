import type { GraphicsCards } from '../../../daemon/contract/compute/graphics-cards.ts';

/** Names the graphics cards of this machine, with their use. */
export const graphicsCardsKey = ['graphics-cards'];

/** Whether models run on a graphics card of this machine, if they fit. */
export const hasUsableCard = ({ isOn, cards, problem }: GraphicsCards): boolean =>
  isOn && problem === null && cards.length > 0;
