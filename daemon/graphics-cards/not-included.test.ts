import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { CardProblemKind } from '../contract/compute/graphics-cards.ts';
import { systemClock } from '../shared/clock.ts';
import { createLogger } from '../shared/logger.ts';
import { plainForkNode } from '../shared/processes/fork-node.ts';
import { newDataFolder } from '../testing/terminal/scripted-daemon.ts';
import { cardProblem } from './card-problems.ts';
import { GraphicsCards } from './graphics-cards.ts';

/** The problem that is found with a program in the place of the runner. @param kernel why no card, by the kernel's files */
async function problemWith(script: string, kernel: CardProblemKind | null, library: string | null = '1.0') {
  const { root, graphicsCardsFile: file } = await newDataFolder();
  const program = join(root, 'runner.cjs');
  await writeFile(program, script);
  const cards = new GraphicsCards({
    ...{ file, program, forkNode: plainForkNode, clock: systemClock, log: createLogger('error', () => {}) },
    childEnvironment: () => ({ PATH: process.env['PATH'] ?? '' }),
    library: async () => library,
    driverKey: async () => 'driver-1',
    boot: async () => 'boot-1',
    whyNoCard: async () => (kernel === null ? null : cardProblem(kernel)),
  });
  return (await cards.find()).problem?.kind ?? null;
}

const noBuild = "console.error('NoBinaryFoundError'); process.exitCode = 1;";
const processorOnly = `console.log('${JSON.stringify({ api: false, cards: [], totalBytes: 0, freeBytes: 0 })}');`;

test.each([
  ['is not installed', noBuild, '1.0'],
  ['has no build for cards of this system', processorOnly, '1.0'],
  ['does not come with this installation', '', null],
])('where the library %s, that is a problem only on a machine with a card', async (_what, script, library) => {
  expect(await problemWith(script, 'no-driver', library)).toBe('not-included');
  expect(await problemWith(script, 'no-access', library)).toBe('no-access');
  expect(await problemWith(script, null, library)).toBe(null);
});
