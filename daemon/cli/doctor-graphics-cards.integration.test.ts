/** How the doctor looks for graphics cards: with a runner that a test writes, and without a change in the data folder. */
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createGraphicsCards } from '../create-runtimes.ts';
import type { CardsState } from '../doctor/graphics-card-check.ts';
import { cardProblem, whyNoCard } from '../graphics-cards/card-problems.ts';
import { systemClock } from '../shared/clock.ts';
import { writeJsonFile } from '../shared/files/json-file.ts';
import { createLogger } from '../shared/logger.ts';
import { childEnvironment } from '../shared/processes/child-environment.ts';
import { plainForkNode } from '../shared/processes/fork-node.ts';
import { captureOutput } from '../testing/terminal/in-process.ts';
import { newDataFolder } from '../testing/terminal/scripted-daemon.ts';
import { doctor } from './doctor.ts';
import { projectResources } from './project.ts';

const card = { name: 'A card', driver: 'a driver', sharesMemory: false };
const answer = { api: 'vulkan', cards: [card], totalBytes: 8e9, freeBytes: 7e9 };
const answers = `console.log(${JSON.stringify(JSON.stringify(answer))})`;
const native = ['linux-x64', 'linux-arm64', 'linux-armv7l', 'mac-arm64-metal', 'mac-x64', 'win-x64', 'win-arm64'];

/** A project with a runner that does what a script says; null: it is not included. */
async function projectWith(runner: string | null): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'robot-desktop-project-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  for (const name of ['node-llama-cpp', ...native.map((each) => join('@node-llama-cpp', each))]) {
    const file = join(folder, 'node_modules', name, 'package.json');
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, '{"version":"1.0.0"}');
  }
  const { llamaRunner } = projectResources(folder);
  await mkdir(dirname(llamaRunner), { recursive: true });
  if (runner !== null) await writeFile(llamaRunner, runner);
  return folder;
}

/** What the doctor finds out, and whether the data folder is as before. */
async function lookedFor(runner: string | null, stored?: object) {
  const paths = await newDataFolder();
  const projectDir = await projectWith(runner);
  const before = stored === undefined ? null : `${JSON.stringify(stored, null, 2)}\n`;
  if (stored !== undefined) await writeJsonFile(paths.graphicsCardsFile, stored);
  captureOutput();
  const states: CardsState[] = [];
  const examine = async ({ graphicsCards }: { readonly graphicsCards: () => Promise<CardsState> }) => {
    states.push(await graphicsCards());
    throw new Error('enough');
  };
  await expect(doctor({ paths, projectDir, examine }, {})).rejects.toThrow('enough');
  expect(await readFile(paths.graphicsCardsFile, 'utf8').catch(() => null)).toBe(before);
  return states[0];
}

test('cards that the runner lists are found, without a record of them', async () => {
  expect(await lookedFor(answers)).toEqual({
    ...{ isOn: true, problem: null, hasFailed: false },
    cards: [{ ...card, index: 0, api: 'vulkan', totalBytes: 8e9, freeBytes: 7e9 }],
  });
});

test.each([
  ['crashes', "process.kill(process.pid, 'SIGSEGV'); setTimeout(() => {}, 60_000);", 'driver-crashed'],
  ['gives garbage', 'console.log("{]")', 'driver-failed'],
  ['ends with an error', 'console.error("vk::Device lost"); process.exit(1)', 'driver-failed'],
])('a driver that %s is a problem', async (_, runner, kind) => {
  expect(await lookedFor(runner)).toMatchObject({ cards: [], problem: { kind }, hasFailed: false });
});

test('an installation without the runner is a problem only where there is a card', async () => {
  const state = await lookedFor(null);
  expect(state?.problem?.kind ?? null).toBe((await whyNoCard()) === null ? null : 'not-included');
});

test('cards that are switched off stay so, and a damaged record counts as none', async () => {
  expect(await lookedFor(answers, { isOn: false, found: null, failure: null })).toMatchObject({ isOn: false });
  expect(await lookedFor(answers, { isOn: 7 })).toMatchObject({ isOn: true, problem: null });
});

test('the driver of a card that failed earlier is not asked again', async () => {
  const { graphicsCardsFile: file } = await newDataFolder();
  const projectDir = await projectWith(answers);
  const failed = createGraphicsCards({
    program: projectResources(projectDir).llamaRunner,
    childEnvironment: () => childEnvironment(process.env, 'daemon'),
    ...{ file, forkNode: plainForkNode, clock: systemClock, log: createLogger('error', () => {}) },
  });
  await failed.failed(cardProblem('driver-crashed', 'SIGSEGV'));
  const stored = JSON.parse(await readFile(file, 'utf8')) as object;
  expect(await lookedFor('throw new Error("It was asked.")', stored)).toEqual({
    ...{ isOn: true, cards: [], hasFailed: true, problem: cardProblem('driver-crashed', 'SIGSEGV') },
  });
});
