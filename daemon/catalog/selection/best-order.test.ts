import { expect, test } from 'vitest';
import type { Fit } from '../../contract/catalog/models.ts';
import { bestRank } from './best-order.ts';

const onProcessor: Fit = {
  ...{ fits: true, tight: false, lacksRuntime: false, canInstall: false, publicId: 'q4', offer: null },
  ...{ needBytes: 5e9, capacityBytes: 20e9, place: 'processor', layers: null, sentence: 'It fits.' },
};
const measured = (tokensPerSecond: number): Fit['speed'] => ({
  ...{ tokensPerSecond, measuredAt: '2026-11-29T10:00:00.000Z', program: null, card: null },
});

test.each<[string, Partial<Fit>, number | null, number]>([
  ['measured as quick', { speed: measured(5) }, 70e9, 0],
  ['wholly on the graphics card', { place: 'card' }, 70e9, 0],
  ['small, on the processor', {}, 4e9, 0],
  ['run by the service of a remote catalog', { place: null }, 70e9, 0],
  ['large, on the processor', {}, 5e9, 1],
  ['of unknown size, on the processor', {}, null, 1],
  ['measured as slow, small or not', { speed: measured(4.9) }, 1e9, 2],
  ['measured as slow on the card', { speed: measured(4.9), place: 'card' }, 1e9, 2],
  ['tight, however quick', { tight: true, speed: measured(50) }, 1e9, 3],
  ['partly on the card', { place: 'card-partly' }, 1e9, 3],
  ['runnable once a program is installed', { fits: false, canInstall: true, place: null }, 1e9, 3],
  ['too large', { fits: false, place: null }, 1e9, 4],
])('a model that is %s', (_what, change, parameterCount, rank) => {
  expect(bestRank({ ...onProcessor, ...change }, parameterCount)).toBe(rank);
});
