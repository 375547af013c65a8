import type { GraphicsCards } from '../../daemon/contract/compute/graphics-cards.ts';
import { graphicsCardsKey, hasUsableCard } from '../slices/models/graphics-cards.ts';
import { type Asked, useAsked } from './use-asked.ts';

/** The graphics cards of this machine, asked for when the component mounts: each look measures them. */
export function useGraphicsCards(): Asked<GraphicsCards> {
  return useAsked<GraphicsCards>(graphicsCardsKey, (call, signal) => call('listGraphicsCards', { signal }));
}

/** Whether models run on a graphics card of this machine, if they fit; false while that is not known. */
export function useHasCard(): boolean {
  const { value } = useGraphicsCards();
  return value !== null && hasUsableCard(value);
}
