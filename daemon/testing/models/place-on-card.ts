import type { CardPlace } from '../../graphics-cards/card-places.ts';

/** A place on a graphics card, all of which is free. */
export function placeOf(change: Partial<CardPlace> = {}): CardPlace {
  const totalBytes = 8e9;
  const card = {
    index: 0,
    name: 'A card',
    api: 'vulkan',
    driver: null,
    sharesMemory: false,
    selector: '0',
    device: null,
  } as const;
  return {
    card: { ...card, totalBytes, freeBytes: totalBytes },
    freeBytes: totalBytes,
    variables: {},
    compiled: { has: async () => false, add: async () => {} },
    loaded: () => {},
    ended: () => {},
    ...change,
  };
}
