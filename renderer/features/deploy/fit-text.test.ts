import { expect, test } from 'vitest';
import { considered } from '../../testing/model-fixtures.ts';
import { cardLayersText, fitText, offerText } from './fit-text.ts';

test.each([
  [{ place: 'card' }, 'fits the card', 'done'],
  [{ place: 'card', tight: true }, 'tight on the card', 'busy'],
  [{ place: 'card-partly' }, 'partly on the card', 'busy'],
  [{ place: 'card-partly', tight: true }, 'partly on the card', 'busy'],
  [{ place: 'processor' }, 'fits the processor', 'done'],
  [{ place: 'processor', tight: true }, 'tight on the processor', 'busy'],
  [{ place: null }, 'fits', 'done'],
  [{ place: null, tight: true }, 'tight', 'busy'],
  [{ fits: false, place: 'card' }, 'does not fit', 'idle'],
  [{ offer: null, place: null }, 'runs remotely', 'idle'],
] as const)('a fit of %j is "%s"', (change, word, tone) => {
  expect(fitText(considered('q4', change))).toEqual({ word, tone });
});

test('an offer fits, fits in part, or is ruled out', () => {
  expect(offerText({ fits: true, place: 'card' }).word).toBe('fits');
  expect(offerText({ fits: true, place: 'card-partly' })).toEqual({ word: 'fits in part', tone: 'busy' });
  expect(offerText({ fits: false, place: null }).word).toBe('ruled out');
});

test('the layers on the card are named of all, and that less than all is slower', () => {
  expect(cardLayersText({ onCard: 25, all: 25 })).toBe('25 of 25 layers');
  expect(cardLayersText({ onCard: 10, all: 25 })).toBe(
    '10 of 25 layers; the others run on the processor, which is slower',
  );
});
