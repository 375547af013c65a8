import { expect, test } from 'vitest';
import type * as z from 'zod';
import type { CardProblem } from '../contract/compute/graphics-cards.ts';
import { writeJsonFile } from '../shared/files/json-file.ts';
import { createLogger } from '../shared/logger.ts';
import { manualClock } from '../testing/manual-clock.ts';
import { newDataFolder } from '../testing/terminal/scripted-daemon.ts';
import { GraphicsCards, type KnownCard, type StoredCards } from './graphics-cards.ts';

const card: KnownCard = {
  ...{ index: 0, name: 'A card', api: 'vulkan', driver: 'a driver', sharesMemory: false, selector: null, device: null },
  ...{ totalBytes: 8e9, freeBytes: 7e9 },
};
const crashed: CardProblem = { kind: 'driver-crashed', message: 'It crashed.', action: 'Update it.' };
const found = { cards: [card], problem: null, driver: 'driver-1', boot: 'boot-1' };
const none = { isOn: true, cards: [], problem: null, hasFailed: false };

type Stored = z.infer<typeof StoredCards>;

/** Cards whose driver must not be asked. */
async function cardsWith(stored: Stored | null) {
  const { graphicsCardsFile: file } = await newDataFolder();
  if (stored) await writeJsonFile(file, stored);
  return new GraphicsCards({
    ...{ file, program: 'runner', clock: manualClock(), log: createLogger('error') },
    forkNode: () => Promise.reject(new Error('The driver was asked.')),
    childEnvironment: () => ({}),
    library: async () => '1.0',
    driverKey: async () => 'driver-1',
    boot: async () => 'boot-1',
  });
}

test.each<[string, Stored | null, object]>([
  ['nothing was looked for yet', null, none],
  ['they were found', { isOn: true, found, failure: null }, { ...none, cards: [card] }],
  ['they are switched off', { isOn: false, found, failure: null }, { ...none, isOn: false, cards: [card] }],
  ['the system was started since', { isOn: true, found: { ...found, boot: 'boot-0' }, failure: null }, none],
  ['the driver is another one', { isOn: true, found: { ...found, driver: 'driver-0' }, failure: null }, none],
  [
    'one has failed',
    { isOn: true, found, failure: { ...crashed, driver: 'driver-1' } },
    { ...none, cards: [card], problem: crashed, hasFailed: true },
  ],
  [
    'one has failed with another driver',
    { isOn: true, found, failure: { ...crashed, driver: 'driver-0' } },
    { ...none, cards: [card] },
  ],
])('what is known where %s, without asking the driver', async (_what, stored, expected) => {
  const { cards, isOn, problem, hasFailed } = await (await cardsWith(stored)).known();
  expect({ cards, isOn, problem, hasFailed }).toEqual(expected);
});
