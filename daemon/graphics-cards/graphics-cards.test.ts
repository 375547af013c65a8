import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { CardProblem } from '../contract/compute/graphics-cards.ts';
import { createLogger } from '../shared/logger.ts';
import { plainForkNode } from '../shared/processes/fork-node.ts';
import { manualClock } from '../testing/manual-clock.ts';
import type { ListedCards } from './ask-runner.ts';
import { cardProblem } from './card-problems.ts';
import { GraphicsCards, type GraphicsCardsDeps, type KnownCard } from './graphics-cards.ts';

const listed = (names: readonly string[], totalBytes = 8e9, freeBytes = 7e9): ListedCards => ({
  ...{ api: 'vulkan', totalBytes, freeBytes },
  cards: names.map((name) => ({ name, driver: 'a driver', sharesMemory: false })),
});
/** Answers whatever is asked. */
const answering = (answer: ListedCards) => `console.log(${JSON.stringify(JSON.stringify(answer))});`;
const CRASHES = "process.kill(process.pid, 'SIGSEGV');";
const oneCard = listed(['A card']);
const knownCard: KnownCard = {
  ...{ index: 0, name: 'A card', api: 'vulkan', driver: 'a driver', sharesMemory: false, selector: null, device: null },
  ...{ totalBytes: 8e9, freeBytes: 7e9 },
};
const KEY_MS = 10_001;

/** A machine whose graphics driver does what a script says. */
async function machine(script = answering(oneCard)) {
  const folder = await mkdtemp(join(tmpdir(), 'graphics-cards-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const program = join(folder, 'runner.cjs');
  const state = {
    driver: 'driver 1',
    boot: 'boot 1',
    library: '3.21.1' as string | null,
    set: {} as Record<string, string>,
  };
  const asked: string[] = [];
  const logged: string[] = [];
  const clock = manualClock();
  /** A daemon that starts on it. */
  const daemon = (more: Partial<Pick<GraphicsCardsDeps, 'file' | 'whyNoCard' | 'cardsOfServer'>> = {}) =>
    new GraphicsCards({
      ...{ program, clock, log: createLogger('warn', (line) => logged.push(line.slice(13).trimEnd())) },
      file: join(folder, 'graphics-cards.json'),
      whyNoCard: async () => null,
      forkNode: (path, args, options) => {
        asked.push(options.env['GGML_VK_VISIBLE_DEVICES'] ?? 'all');
        return plainForkNode(path, args, options);
      },
      childEnvironment: () => ({ PATH: process.env['PATH'] ?? '', ...state.set }),
      library: async () => state.library,
      driverKey: async (library) => `${library}, ${state.driver}`,
      boot: async () => state.boot,
      ...more,
    });
  const runs = (text: string) => writeFile(program, text);
  await runs(script);
  return { folder, state, asked, logged, clock, daemon, runs };
}

test('the runner is asked once in a run of the system, also by daemons after the first', async () => {
  const { asked, daemon } = await machine();
  const cards = daemon();
  const found = { isOn: true, cards: [knownCard], problem: null, hasFailed: false };
  expect(await Promise.all([cards.find(), cards.find()])).toEqual([found, found]);
  expect(await daemon().find()).toEqual(found);
  expect(asked).toEqual(['all']);
});

test('it is asked again after another start of the system, another driver and another version of itself', async () => {
  const { state, asked, clock, daemon, runs } = await machine();
  const cards = daemon();
  await cards.find();
  state.boot = 'boot 2';
  await cards.find();
  expect(asked).toHaveLength(2);
  state.driver = 'driver 2';
  await runs(answering(listed(['A newer card'])));
  expect((await cards.find()).cards).toEqual([knownCard]); // a driver is looked for every ten seconds
  await clock.advance(KEY_MS);
  expect((await cards.find()).cards).toMatchObject([{ name: 'A newer card' }]);
  state.library = '4.0.0';
  await cards.find();
  expect(asked).toHaveLength(4);
});

test('a driver that fails at the first look is kept until the next start of the system, or the next try', async () => {
  const { state, asked, logged, daemon, runs } = await machine(CRASHES);
  const problem = cardProblem('driver-crashed', 'SIGSEGV');
  const failed = { isOn: true, cards: [], problem, hasFailed: false };
  const cards = daemon();
  expect([await cards.find(), await cards.find(), await daemon().find()]).toEqual([failed, failed, failed]);
  expect([asked.length, logged]).toEqual([1, [`warn  ${problem.message}`]]);
  state.boot = 'boot 2';
  expect(await cards.find()).toEqual(failed);
  await runs(answering(oneCard));
  await cards.tryAgain();
  expect([await cards.find(), asked.length]).toMatchObject([{ cards: [knownCard], problem: null }, 3]);
});

test('a look that was ended from outside is repeated by the next daemon', async () => {
  const { daemon, runs } = await machine("process.kill(process.pid, 'SIGKILL');");
  expect(await daemon().find()).toMatchObject({ cards: [], problem: { kind: 'interrupted' } });
  await runs(answering(oneCard));
  expect(await daemon().find()).toMatchObject({ cards: [knownCard], problem: null });
});

test('a card that failed in use is left alone with that driver, after a restart and a start of the system too', async () => {
  const { state, asked, logged, clock, daemon } = await machine();
  const problem = cardProblem('card-lost');
  const cards = daemon();
  await cards.find();
  await cards.failed(problem);
  const failed = { isOn: true, cards: [knownCard], problem, hasFailed: true };
  state.boot = 'boot 2';
  expect([await cards.find(), await daemon().find(), asked.length]).toEqual([failed, failed, 1]);
  expect(logged).toEqual([
    `warn  ${problem.message} Models run on the processor until someone tries the graphics card again.`,
  ]);
  state.driver = 'driver 2';
  await clock.advance(KEY_MS);
  expect(await cards.find()).toMatchObject({ problem: null, hasFailed: false });
});

test('a new try forgets the failure, and looks for the cards', async () => {
  const { asked, daemon } = await machine();
  const cards = daemon();
  await cards.find();
  await cards.failed(cardProblem('card-lost'));
  await cards.tryAgain();
  expect(await daemon().find()).toMatchObject({ problem: null, hasFailed: false });
  expect(asked).toHaveLength(2);
});

test('a driver that crashes while it is measured has failed; one that is only late has not', async () => {
  const { daemon, runs } = await machine();
  const cards = daemon();
  await cards.find();
  await runs("process.kill(process.pid, 'SIGKILL');");
  expect(await cards.measure(knownCard)).toMatchObject({ kind: 'interrupted' });
  expect(await cards.find()).toMatchObject({ problem: null });
  await runs(CRASHES);
  expect(await cards.measure(knownCard)).toEqual(cardProblem('driver-crashed', 'SIGSEGV'));
  expect(await cards.find()).toMatchObject({ problem: { kind: 'driver-crashed' }, hasFailed: true });
});

test('a card is measured, and one that is no longer there is lost', async () => {
  const { daemon, runs } = await machine();
  const cards = daemon();
  await cards.find();
  await runs(answering(listed(['A card'], 8e9, 2e9)));
  expect(await cards.measure(knownCard)).toEqual({ ...knownCard, freeBytes: 2e9 });
  expect((await cards.find()).cards).toEqual([{ ...knownCard, freeBytes: 2e9 }]);
  await runs(answering(listed(['Another card'])));
  expect(await cards.measure(knownCard)).toEqual(cardProblem('card-lost'));
  expect(await cards.measureAll()).toEqual(cardProblem('card-lost'));
  expect((await cards.find()).cards).toEqual([{ ...knownCard, freeBytes: 2e9 }]);
});

test('a card that is gone does not keep the others from use', async () => {
  const { daemon, runs } = await machine(several);
  const cards = daemon();
  await cards.find();
  await runs(several.replace("['Large', 24e9]", "['Small', 1e9]"));
  expect(await cards.measureAll()).toBeNull();
});

test('calls that measure at the same time share one look', async () => {
  const { asked, daemon } = await machine();
  const cards = daemon();
  await cards.find();
  expect(await Promise.all([cards.measureAll(), cards.measureAll()])).toEqual([null, null]);
  expect(asked).toHaveLength(2);
  expect(await cards.measureAll()).toBeNull();
  expect(asked).toHaveLength(3);
});

test('while the cards are switched off no driver is loaded, and those of the last look are known', async () => {
  const { state, asked, daemon } = await machine();
  const cards = daemon();
  await cards.switch(false);
  expect(await cards.find()).toEqual({ isOn: false, cards: [], problem: null, hasFailed: false });
  await cards.measureAll();
  expect([asked, await daemon().isOn()]).toEqual([[], false]);
  await cards.switch(true);
  await cards.find();
  await cards.switch(false);
  state.boot = 'boot 2';
  await cards.measureAll();
  expect(await cards.find()).toEqual({ isOn: false, cards: [knownCard], problem: null, hasFailed: false });
  expect(asked).toHaveLength(1);
});

test('a new try while they are switched off forgets the failure, and not the cards', async () => {
  const { asked, daemon } = await machine();
  const cards = daemon();
  await cards.find();
  await cards.failed(cardProblem('card-lost'));
  await cards.switch(false);
  await cards.tryAgain();
  expect(await cards.find()).toEqual({ isOn: false, cards: [knownCard], problem: null, hasFailed: false });
  expect(asked).toHaveLength(1);
});

/** A driver with two cards of the same kind, one of another, and between them a software one that is listed only when named. */
const several = `
  const cards = [['Twin', 8e9], ['Software', 1e9], ['Twin', 8e9], ['Large', 24e9]];
  const selected = process.env.GGML_VK_VISIBLE_DEVICES?.split(',').map(Number);
  const seen = selected ? selected.flatMap((at) => cards[at] ? [cards[at]] : []) : cards.filter(([name]) => name !== 'Software');
  const totalBytes = seen.reduce((sum, [, bytes]) => sum + bytes, 0);
  const listed = seen.map(([name]) => ({ name, driver: null, sharesMemory: false }));
  console.log(JSON.stringify({ api: seen.length > 0 && 'vulkan', cards: listed, totalBytes, freeBytes: totalBytes }));
`;

test('several cards are asked for one by one, each with its memory and its number, and a software one is left out', async () => {
  const { asked, daemon } = await machine(several);
  const facts = (await daemon().find()).cards.map(({ index, name, totalBytes, selector }) => [
    index,
    name,
    totalBytes,
    selector,
  ]);
  expect(facts).toEqual([
    [0, 'Twin', 8e9, '0'],
    [1, 'Twin', 8e9, '2'],
    [2, 'Large', 24e9, '3'],
  ]);
  expect(asked).toEqual(['all', '0', '1', '2', '3']);
});

test('those that the environment selects are the only ones', async () => {
  const { state, asked, daemon } = await machine(several);
  state.set = { GGML_VK_VISIBLE_DEVICES: '3,1' };
  const facts = (await daemon().find()).cards.map(({ name, selector }) => [name, selector]);
  expect(facts).toEqual([
    ['Large', '3'],
    ['Software', '1'],
  ]);
  expect(asked).toEqual(['3,1', '3', '1']);
});

test('cards of which none answers alone cannot be used', async () => {
  const script = `
    if (process.env.GGML_VK_VISIBLE_DEVICES) process.exitCode = 1;
    else ${answering(listed(['One', 'Two']))}
  `;
  const { daemon } = await machine(script);
  expect(await daemon().find()).toMatchObject({ cards: [], problem: { kind: 'driver-failed' } });
});

test('a card that is silent alone ends the look: the next ones would take as long', async () => {
  const script = `
    if (process.env.GGML_VK_VISIBLE_DEVICES) setInterval(() => {}, 60_000);
    else ${answering(listed(['One', 'Two']))}
  `;
  const { asked, clock, daemon } = await machine(script);
  const found = daemon().find();
  await expect.poll(() => asked.length === 2 && clock.pending > 0).toBe(true);
  await clock.advance(20_000);
  expect(await found).toMatchObject({ cards: [], problem: { kind: 'driver-failed' } });
  expect(asked).toEqual(['all', '0']);
});

const withoutLoader = "console.error('libvulkan.so.1'); process.exit(1);";

test.each<[string, string, CardProblem | 'unknown' | null, CardProblem | null]>([
  ['no card', answering(listed([])), null, null],
  ['no loader, and no card that it is missing for', withoutLoader, null, null],
  ['no loader', withoutLoader, cardProblem('no-driver'), cardProblem('no-loader')],
  ['no loader, on a system that does not tell its cards', withoutLoader, 'unknown', cardProblem('no-loader')],
  ['a driver without a card, on such a system', answering(listed([])), 'unknown', null],
  ['a card without a driver', answering(listed([])), cardProblem('no-driver'), cardProblem('no-driver')],
  [
    'a card that may not be opened',
    answering(listed([])),
    cardProblem('no-access', '/dev/dri/renderD128'),
    cardProblem('no-access', '/dev/dri/renderD128'),
  ],
])('a machine with %s', async (_what, script, why, problem) => {
  const { daemon } = await machine(script);
  expect(await daemon({ whyNoCard: async () => why }).find()).toMatchObject({ cards: [], problem });
});

test('an installation without the runner says so, and asks nothing', async () => {
  const { state, asked, daemon } = await machine();
  state.library = null;
  const withCard = daemon({ whyNoCard: async () => cardProblem('no-driver') });
  expect(await withCard.find()).toMatchObject({ cards: [], problem: cardProblem('not-included') });
  expect(await daemon({ whyNoCard: async () => 'unknown' }).find()).toMatchObject({ cards: [], problem: null });
  expect(asked).toEqual([]);
});

test('where the runner has no build for cards, they are those of the llama-server in use', async () => {
  const { asked, daemon, logged } = await machine(answering({ api: false, cards: [], totalBytes: 0, freeBytes: 0 }));
  const ofServer: KnownCard = { ...knownCard, driver: null, device: 'Vulkan0' };
  const cards = daemon({ cardsOfServer: async () => [ofServer] });
  const found = { isOn: true, cards: [ofServer], problem: null, hasFailed: false };
  expect([await cards.find(), await cards.find(), await cards.measure(ofServer)]).toEqual([found, found, ofServer]);
  expect([asked, logged]).toEqual([['all'], []]);
});

test('without the runner, the cards are those of the llama-server in use', async () => {
  const { state, asked, daemon } = await machine();
  state.library = null;
  const looks: boolean[] = [];
  const ofServer: KnownCard = { ...knownCard, driver: null, device: 'Vulkan0' };
  const cards = daemon({
    whyNoCard: async () => cardProblem('no-driver'),
    cardsOfServer: async (mayLook) => {
      looks.push(mayLook);
      return [ofServer];
    },
  });
  const found = { isOn: true, cards: [ofServer], problem: null, hasFailed: false };
  expect([await cards.find(), await cards.known(), looks]).toEqual([found, found, [true, false]]);
  expect([await cards.measureAll(), await cards.measure(ofServer), asked]).toEqual([null, ofServer, []]);
  await cards.failed(cardProblem('card-lost'));
  expect(await cards.find()).toMatchObject({ problem: cardProblem('card-lost'), hasFailed: true });
  await cards.tryAgain();
  expect(await cards.find()).toEqual(found);
});

test('a damaged file is set aside, and the cards are looked for and used', async () => {
  const { folder, logged, asked, daemon } = await machine();
  await writeFile(join(folder, 'graphics-cards.json'), '{"isOn": "perhaps"}');
  const cards = daemon();
  expect(await cards.find()).toMatchObject({ isOn: true, cards: [knownCard] });
  expect(logged).toEqual([expect.stringContaining('is set aside')]);
  expect((await readdir(folder)).filter((name) => name.startsWith('graphics-cards.json'))).toHaveLength(2);
  expect(JSON.parse(await readFile(join(folder, 'graphics-cards.json'), 'utf8'))).toMatchObject({ isOn: true });
  expect(asked).toHaveLength(1);
});

test('a disk that cannot be written keeps no card from use, and refuses what a person sets', async () => {
  const { folder, logged, daemon } = await machine();
  const inNoFolder = join(folder, 'none', 'graphics-cards.json');
  const cards = daemon({ file: inNoFolder });
  expect(await cards.find()).toMatchObject({ cards: [knownCard] });
  expect(logged).toEqual([expect.stringContaining('what is known of the graphics card could not be saved')]);
  await cards.failed(cardProblem('card-lost'));
  expect(await cards.find()).toMatchObject({ hasFailed: true });
  await expect(cards.switch(false)).rejects.toThrow();
  await expect(cards.tryAgain()).rejects.toThrow();
  expect(await cards.find()).toMatchObject({ isOn: true, hasFailed: true });
  await mkdir(join(folder, 'none'));
  await cards.switch(false);
  expect(await daemon({ file: inNoFolder }).isOn()).toBe(false);
});
