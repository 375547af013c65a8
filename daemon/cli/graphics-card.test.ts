import { expect, test } from 'vitest';
import type { CardProblem, GraphicsCards } from '../contract/compute/graphics-cards.ts';
import { captureOutput } from '../testing/terminal/in-process.ts';
import { newDataFolder, recordInstance, serveScripted } from '../testing/terminal/scripted-daemon.ts';
import { listCards, switchOff, switchOn, tryAgain } from './graphics-card.ts';
import { NoDaemon } from './shared/errors.ts';
import { cardsLine } from './shared/graphics-card-text.ts';

const use = { card: 'NVIDIA H100', layers: 33, totalLayers: 33, memoryBytes: 5.1e9 };
const used: GraphicsCards = {
  ...{ isOn: true, usagePercent: 37.4, problem: null, canTryAgain: false },
  cards: [
    {
      ...{ index: 0, name: 'NVIDIA H100', api: 'vulkan', driver: 'NVIDIA 580', sharesMemory: false },
      ...{ totalBytes: 80e9, freeBytes: 72.4e9, users: [{ namespace: 'lab', name: 'poet', use }] },
    },
    {
      ...{ index: 1, name: 'A\u001bcard', api: 'vulkan', driver: null, sharesMemory: false },
      ...{ totalBytes: 8e9, freeBytes: 8e9, users: [] },
    },
  ],
};
const crashed: CardProblem = { kind: 'driver-crashed', message: 'The driver crashed.', action: 'Update it.' };
const none: GraphicsCards = { isOn: true, cards: [], usagePercent: null, problem: null, canTryAgain: false };
const failed: GraphicsCards = { ...used, usagePercent: null, problem: crashed, canTryAgain: true };
const off: GraphicsCards = { ...used, isOn: false, usagePercent: null };

const table = `CARD  NAME         DRIVER      FREE                USED BY
0     NVIDIA H100  NVIDIA 580  72.4 GB of 80.0 GB  lab/poet (33 of 33 layers, 5.1 GB)
1     A\\u001bcard  unknown     8.0 GB of 8.0 GB    unused
`;

const commands = {
  ls: [listCards, 'GET', '/api/graphics-cards'],
  on: [switchOn, 'PUT', '/api/graphics-cards'],
  off: [switchOff, 'PUT', '/api/graphics-cards'],
  'try-again': [tryAgain, 'POST', '/api/graphics-cards/try-again'],
} as const;

/** Calls a command on a daemon with these graphics cards. */
async function printedOf(name: keyof typeof commands, report: GraphicsCards, json = false) {
  const [command, method, path] = commands[name];
  const { url, seen } = await serveScripted({
    ...(method === 'GET' && { listGraphicsCards: report }),
    ...(method === 'PUT' && { switchGraphicsCards: report }),
    ...(method === 'POST' && { tryGraphicsCardsAgain: report }),
  });
  const paths = await newDataFolder();
  await recordInstance(paths, { url });
  const printed = captureOutput();
  await command(paths, { json });
  expect(seen.map(({ call }) => call)).toEqual([`${method} ${path}`]);
  const [{ body, authorization } = { body: null, authorization: undefined }] = seen;
  const { out, code } = printed;
  return { out, code, body, hasToken: authorization?.startsWith('Bearer ') ?? false };
}

test('the cards are listed with their memory, their use and what uses them; why models use none comes last', async () => {
  expect((await printedOf('ls', used)).out).toBe(`${table}Busy 37 % of the time.\n`);
  expect((await printedOf('ls', failed)).out).toBe(
    `${table}The driver crashed. Update it. To try it again: robot-daemon graphics-card try-again\n`,
  );
  expect((await printedOf('ls', off)).out).toBe(
    `${table}Models do not use it: it is switched off. To switch it on: robot-daemon graphics-card on\n`,
  );
  expect(await printedOf('ls', none)).toMatchObject({ out: 'No graphics cards are known.\n', code: 0 });
});

test('as JSON the report is printed as the daemon gives it', async () => {
  expect(JSON.parse((await printedOf('ls', failed, true)).out)).toEqual(failed);
  expect(JSON.parse((await printedOf('try-again', used, true)).out)).toEqual(used);
});

test('they are switched on and off with a token of the command; models on them stay', async () => {
  expect(await printedOf('on', none)).toEqual({
    out: 'The graphics card is switched on.\nNo graphics cards are known.\n',
    ...{ code: 0, body: { isOn: true }, hasToken: true },
  });
  expect((await printedOf('on', used)).out).toMatch(/^Models use the graphics card from their next start\./);
  expect(await printedOf('off', off)).toEqual({
    out: 'Models run on the processor from their next start; endpoints that need the graphics card fail. Those that are on it now stay until they end.\n',
    ...{ code: 0, body: { isOn: false }, hasToken: true },
  });
  expect((await printedOf('off', { ...none, isOn: false })).out).toBe(
    'Models run on the processor from their next start; endpoints that need the graphics card fail.\n',
  );
});

test('another try has the code 1 where models can use no card after it', async () => {
  expect(await printedOf('try-again', used)).toMatchObject({ code: 0, hasToken: true });
  expect(await printedOf('try-again', failed)).toMatchObject({ code: 1, out: expect.stringContaining('crashed') });
  expect(await printedOf('try-again', none)).toMatchObject({ code: 1, out: 'No graphics cards are known.\n' });
});

test('without a daemon they say so', async () => {
  const paths = await newDataFolder();
  for (const [command] of Object.values(commands)) await expect(command(paths, {})).rejects.toThrow(NoDaemon);
});

test.each([
  ['none known', none],
  ['NVIDIA H100, used by lab/poet; A\u001bcard', used],
  ['switched off', off],
  ['not used: The driver crashed. Update it. To try it again: robot-daemon graphics-card try-again', failed],
])('in one line: %s', (text, report) => {
  expect(cardsLine(report)).toBe(text);
});
