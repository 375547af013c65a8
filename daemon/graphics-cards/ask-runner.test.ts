import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../shared/clock.ts';
import { type ForkNode, plainForkNode } from '../shared/processes/fork-node.ts';
import { processesInGroup } from '../shared/processes/processes.ts';
import { askRunner } from './ask-runner.ts';
import { cardProblem } from './card-problems.ts';

const answer = {
  ...{ api: 'vulkan', totalBytes: 8e9, freeBytes: 7e9 },
  cards: [{ name: 'A card', driver: 'a driver', sharesMemory: false }],
} as const;
const SOON_MS = 500;

/** Asks a program in the place of the runner. @param script its source */
async function ask(script: string, { deadlineMs = 30_000, forkNode = plainForkNode, variables = {} } = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'ask-runner-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const program = join(folder, 'runner.cjs');
  await writeFile(program, script);
  const childEnvironment = () => ({ PATH: process.env['PATH'] ?? '', FOLDER: folder });
  const found = await askRunner({ program, forkNode, childEnvironment, clock: systemClock }, variables, deadlineMs);
  return { found, folder };
}

const write = (text: string) => `process.stdout.write(${JSON.stringify(text)});`;

test('the runner answers with a line of JSON, after other lines of its driver', async () => {
  const { found } = await ask(write(`MESA: a warning\n${JSON.stringify(answer)}\n`));
  expect(found).toEqual(answer);
});

test('it is asked for the list of cards, with variables that select one', async () => {
  const script = `
    const name = [process.argv.at(-1), process.env.SELECTS].join();
    console.log(JSON.stringify({ ...${JSON.stringify(answer)}, cards: [{ name, driver: null, sharesMemory: true }] }));
  `;
  const { found } = await ask(script, { variables: { SELECTS: '3' } });
  expect(found).toMatchObject({ cards: [{ name: '--list-cards,3' }] });
});

test.each([
  ['Error: libvulkan.so.1: cannot open shared object file: No such file or directory', cardProblem('no-loader')],
  ['The specified module could not be found: vulkan-1.dll', cardProblem('no-loader')],
  ['Vulkan device is not supported', cardProblem('no-driver')],
  [
    'error: libvulkan.so.1: file too short\nNoBinaryFoundError: no build of llama.cpp works here',
    cardProblem('no-loader'),
  ],
  ['Vulkan device is not supported\nNoBinaryFoundError: no build of llama.cpp works here', cardProblem('no-driver')],
  ['NoBinaryFoundError: no build of llama.cpp works here', cardProblem('not-included')],
  ['first\nError: something else', cardProblem('driver-failed', 'Error: something else')],
])('a runner that ends with an error tells why: %s', async (text, problem) => {
  const { found } = await ask(`console.error(${JSON.stringify(text)}); process.exitCode = 1;`);
  expect(found).toEqual(problem);
});

test('a driver that crashes ends the program that asks it, and nothing else', async () => {
  const { found } = await ask("process.kill(process.pid, 'SIGSEGV');");
  expect(found).toEqual(cardProblem('driver-crashed', 'SIGSEGV'));
});

test('a program that is ended from outside says nothing about the driver', async () => {
  const { found } = await ask("process.kill(process.pid, 'SIGKILL');");
  expect(found).toEqual(cardProblem('interrupted', 'was ended by SIGKILL'));
});

test('a driver that hangs is given up at the deadline, and is gone afterwards', async () => {
  const script = `
    process.on('SIGTERM', () => {});
    require('node:fs').writeFileSync(require('node:path').join(process.env.FOLDER, 'pid'), String(process.pid));
    for (;;) {}
  `;
  const { found, folder } = await ask(script, { deadlineMs: 2_000 });
  expect(found).toEqual(cardProblem('driver-silent', '2 s'));
  expect(await processesInGroup(Number(await readFile(join(folder, 'pid'), 'utf8')))).toEqual([]);
});

test('a program that even SIGKILL does not end, since its driver holds it in the kernel, is not waited for', async () => {
  const forkNode: ForkNode = async () => ({
    ...{ pid: 2 ** 30, stdout: Readable.from([]), stderr: Readable.from([]), exited: new Promise(() => {}) },
  });
  expect((await ask('', { deadlineMs: SOON_MS, forkNode })).found).toEqual(cardProblem('driver-silent', '0.5 s'));
});

test.each([
  ['nothing', ''],
  ['garbage', write('cards? \u0000 {"api":')],
  ['another shape', write('{"api":"vulkan","cards":[{"name":3}],"totalBytes":1,"freeBytes":1}')],
  ['negative memory', write(JSON.stringify({ ...answer, freeBytes: -1 }))],
  ['a thousand cards', write(JSON.stringify({ ...answer, cards: Array(1_000).fill(answer.cards[0]) }))],
  ['more than is read', write(`${'x'.repeat(100_000)}\n${JSON.stringify(answer)}\n`)],
])('a driver that answers %s cannot be used', async (_what, script) => {
  expect((await ask(script)).found).toEqual(cardProblem('driver-failed', 'Its answer could not be read.'));
});

test('a driver that writes without end is given up at the deadline', async () => {
  const script = "const write = () => process.stdout.write('x'.repeat(10_000), write); write();";
  expect((await ask(script, { deadlineMs: 2_000 })).found).toMatchObject({ kind: 'driver-silent' });
});

test('a program that cannot start is a problem too', async () => {
  const forkNode = () => Promise.reject(new Error('spawn EAGAIN'));
  expect((await ask('', { forkNode })).found).toEqual(cardProblem('interrupted', 'could not start (spawn EAGAIN)'));
});
