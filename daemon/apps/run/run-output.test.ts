/** Output on a real disk: bounded and in order. */
import { appendFile, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { OutputLine } from '../../contract/apps/runs.ts';
import { createLogger } from '../../shared/logger.ts';
import { manualClock } from '../../testing/manual-clock.ts';
import { AppOutput, MAX_LINES } from './app-output.ts';
import { MAX_BYTES, RunOutput, readAll, readNewest, SEGMENT_BYTES, WRITE_EVERY_MS } from './run-output.ts';

async function outputOnDisk(sub = 'run') {
  const folder = await mkdtemp(join(tmpdir(), 'run-output-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const dir = join(folder, sub);
  const logged: string[] = [];
  const clock = manualClock();
  const lines = new AppOutput({ publish: () => {}, clock });
  lines.begin('r1', 'dance');
  const file = new RunOutput({ clock, dir, lines, log: createLogger('error', (line) => logged.push(line)) });
  const write = (text: string) => {
    lines.append('stdout', text, false);
    file.changed();
  };
  const bytes = async () => {
    const names = await readdir(dir);
    const sizes = await Promise.all(names.map(async (name) => (await stat(join(dir, name))).size));
    return sizes.reduce((sum, size) => sum + size, 0);
  };
  const texts = async (count: number) => (await readNewest(dir, count))?.map(({ text }) => text);
  const all = async () => {
    const lines: OutputLine[] = [];
    for await (const part of (await readAll(dir)) ?? []) lines.push(...part);
    return lines;
  };
  /** Moves the clock until the lines are written as expected. */
  const soon = (expected: () => Promise<void> | void) => clock.until(expected, WRITE_EVERY_MS);
  return { folder, dir, logged, lines, file, write, bytes, texts, all, soon, clock };
}

test.skipIf(process.platform === 'win32')('a pipe in the place of output is not waited for', async () => {
  const { dir, file, write, texts } = await outputOnDisk();
  write('one');
  await file.close();
  await execa('mkfifo', [join(dir, '2.ndjson')]);
  expect(await texts(10)).toEqual(['one']);
});

test('lines are on disk a moment later, in order, and the rest at the end', async () => {
  const { file, write, texts, lines, all, clock } = await outputOnDisk();
  write('one');
  write('two "quoted" \u2028 ••••••');
  await clock.advance(WRITE_EVERY_MS - 1);
  expect(await texts(10)).toBeUndefined();
  await clock.advance(1);
  await vi.waitFor(async () => expect(await texts(10)).toEqual(['one', 'two "quoted" \u2028 ••••••']), { interval: 1 });
  write('three');
  await file.close();
  expect(await all()).toEqual(lines.page().lines);
  expect(await texts(2)).toEqual(['two "quoted" \u2028 ••••••', 'three']);
});

test('beyond the limit the oldest segments are dropped', async () => {
  const { dir, file, write, bytes, texts, all, soon } = await outputOnDisk();
  const text = 'x'.repeat(1_000);
  const total = Math.ceil((2 * MAX_BYTES) / text.length);
  for (let number = 1; number <= total; number++) {
    write(`${number} ${text}`);
    // Slower than the disk, so that there are no gaps.
    if (number % 1_000 === 0) {
      await soon(async () => expect((await readNewest(dir, 1))?.at(-1)?.number).toBe(number));
    }
  }
  await file.close();
  expect(await bytes()).toBeLessThanOrEqual(MAX_BYTES);
  expect(await bytes()).toBeGreaterThan(MAX_BYTES - 2 * SEGMENT_BYTES);
  const numbers = (await all()).map(({ number }) => number);
  const oldest = numbers[0] ?? 0;
  expect(numbers).toEqual(Array.from({ length: total - oldest + 1 }, (_, index) => oldest + index));
  expect((await texts(1))?.[0]).toBe(`${total} ${text}`);
});

test('a flood of half a million lines stays within the limit and keeps its newest lines', async () => {
  const { dir, file, write, bytes, logged, clock } = await outputOnDisk();
  let most = 0;
  for (let number = 1; number <= 500_000; number++) {
    write(`line ${number}`);
    if (number % 50_000 === 0) {
      // The lines wait to be published and to be written, so no write is under way.
      await vi.waitFor(() => expect(clock.pending).toBe(2), { interval: 1 });
      most = Math.max(most, await bytes());
    }
    if (number % 5_000 === 0) await clock.advance(WRITE_EVERY_MS);
  }
  await file.close();
  expect(Math.max(most, await bytes())).toBeLessThanOrEqual(MAX_BYTES);
  const lines = await readNewest(dir, MAX_LINES / 2);
  expect(lines?.map(({ number }) => number)).toEqual(
    Array.from({ length: MAX_LINES / 2 }, (_, index) => 500_000 - MAX_LINES / 2 + 1 + index),
  );
  expect(logged).toEqual([]);
});

test('damaged lines are omitted: one in the middle, and an incomplete one at the end', async () => {
  const { dir, file, write, texts, all } = await outputOnDisk();
  write('one');
  await file.close();
  const path = join(dir, '1.ndjson');
  await appendFile(path, 'garbage\n{"number":3,"stream":"nowhere"}\n');
  await appendFile(
    path,
    '{"number":4,"stream":"stderr","text":"four","truncated":false,"at":"2026-01-01T00:00:00.000Z"}\n',
  );
  await appendFile(path, '{"number":5,"stream":"std');
  expect(await texts(10)).toEqual(['one', 'four']);
  expect([await readNewest(join(dir, 'elsewhere'), 10), await readAll(join(dir, 'elsewhere'))]).toEqual([null, null]);
  expect((await all()).map(({ text }) => text)).toEqual(['one', 'four']);
});

test('a failed write is logged once, and the run continues', async () => {
  const { folder, logged, file, write, soon } = await outputOnDisk('taken/run');
  await writeFile(join(folder, 'taken'), 'no folder');
  write('one');
  await soon(() => expect(logged).toHaveLength(1));
  write('two');
  await file.close();
  expect(logged).toHaveLength(1);
  expect(logged[0]).toContain('could not be saved');
});
