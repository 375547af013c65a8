import { expect, test } from 'vitest';
import { graphicsCard, graphicsCards } from '../../testing/model-fixtures.ts';
import { busyText, cardStateText, heldOf, triedText, usersOf } from './graphics-cards-text.ts';

const use = (memoryBytes: number) => ({ card: 'Example 4000', layers: 25, totalLayers: 25, memoryBytes });
const problem = { kind: 'driver-crashed', message: 'It crashed.', action: 'Update it.' } as const;

test('the endpoints on a card are named once, the largest first, with their namespaces where the names are the same', () => {
  const users = [
    { namespace: 'local', name: 'chat', use: use(1e9) },
    { namespace: 'lab', name: 'chat', use: use(3e9) },
    { namespace: 'local', name: 'chat', use: use(1e9) },
    { namespace: 'local', name: 'search', use: use(0.5e9) },
  ];
  expect(usersOf(graphicsCard({ users })).map(({ id, name, uses }) => [id, name, uses.length])).toEqual([
    ['lab/chat', 'lab/chat', 1],
    ['local/chat', 'local/chat', 2],
    ['local/search', 'search', 1],
  ]);
});

test('the memory in use is that of the models, and the rest is of other programs', () => {
  const users = [{ namespace: 'local', name: 'chat', use: use(1e9) }];
  expect(heldOf(graphicsCard({ freeBytes: 5e9, users }))).toEqual({ byModels: 1e9, byOthers: 2e9 });
  expect(heldOf(graphicsCard({ freeBytes: 7.6e9, users })), 'measured before the model was loaded').toEqual({
    byModels: 1e9,
    byOthers: 0,
  });
});

test('a card is in use, ready, switched off, or cannot be used', () => {
  const card = graphicsCard();
  const used = graphicsCard({ users: [{ namespace: 'local', name: 'chat', use: use(1e9) }] });
  expect(cardStateText(used, graphicsCards())).toEqual({ word: 'in use', tone: 'running' });
  expect(cardStateText(card, graphicsCards()).word).toBe('ready');
  expect(cardStateText(card, graphicsCards({ isOn: false })).word).toBe('switched off');
  expect(cardStateText(card, graphicsCards({ isOn: false, problem })).word).toBe('cannot be used');
});

test('a try says whether the card can be used now', () => {
  expect(triedText(graphicsCards())).toBe('It can be used: models use it from their next start.');
  expect(triedText(graphicsCards({ problem }))).toBe('Tried: it cannot be used yet.');
  expect(triedText(graphicsCards({ cards: [] }))).toBe('No graphics card was found.');
  expect(busyText(36.6)).toBe('busy 37 % of the time');
});
