import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { TokenUses, TokenUsesFile } from './token-uses.ts';

const HOUR = 60 * 60_000;

/** A data folder, and the daemons that run on it one after the other. */
async function dataFolder() {
  const folder = await mkdtemp(join(tmpdir(), 'robot-desktop-uses-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const file = join(folder, 'token-uses.json');
  const clock = { ms: Date.parse('2026-11-28T08:00:00.000Z') };
  const logged: string[] = [];
  const log = (text: string) => void logged.push(text);
  const newDaemon = async () => {
    const uses = new TokenUses({ file, now: () => new Date(clock.ms), log: { error: log, warn: log } });
    await uses.load();
    return uses;
  };
  const saved = () =>
    vi.waitFor(async () => TokenUsesFile.parse(JSON.parse(await readFile(file, 'utf8'))).uses, { interval: 1 });
  return { file, clock, logged, newDaemon, saved };
}

test('the last use of each token is known, and saved at most once an hour for the next daemon', async () => {
  const { clock, newDaemon, saved } = await dataFolder();
  const first = await newDaemon();
  expect(first.lastUse('ci')).toBeNull();
  first.note('ci');
  expect(await saved()).toEqual({ ci: '2026-11-28T08:00:00.000Z' });
  clock.ms += HOUR / 2;
  first.note('ci');
  first.note('phone');
  expect(first.lastUse('ci')).toBe('2026-11-28T08:30:00.000Z');
  expect(await saved()).toEqual({ ci: '2026-11-28T08:00:00.000Z' });
  clock.ms += HOUR;
  first.note('phone');
  await vi.waitFor(async () => expect(Object.keys(await saved())).toEqual(['ci', 'phone']), { interval: 1 });
  const second = await newDaemon();
  expect([second.lastUse('ci'), second.lastUse('phone')]).toEqual([
    ...['2026-11-28T08:30:00.000Z', '2026-11-28T09:30:00.000Z'],
  ]);
});

test('a damaged file is set aside, and no use is known', async () => {
  const { file, newDaemon, logged } = await dataFolder();
  await writeFile(file, '{"uses":7}');
  expect((await newDaemon()).lastUse('ci')).toBeNull();
  expect(logged).toEqual([expect.stringContaining('is set aside')]);
});
