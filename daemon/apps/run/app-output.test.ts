import { expect, test } from 'vitest';
import type { OutputLine } from '../../contract/apps/runs.ts';
import type { DaemonEvent } from '../../contract/events.ts';
import { MAX_LINE_BYTES } from '../../shared/processes/line-splitter.ts';
import { manualClock } from '../../testing/manual-clock.ts';
import { AppOutput, MAX_CHARACTERS, MAX_LINES, PAGE_CHARACTERS, PAGE_LINES, PUBLISH_CHARACTERS } from './app-output.ts';

function outputOf(runId = 'r1') {
  const events: DaemonEvent[] = [];
  const clock = manualClock();
  const output = new AppOutput({
    publish: (event) => events.push(event),
    clock: { ...clock, now: () => new Date(0) },
  });
  output.begin(runId, 'dance');
  return { clock, output, events };
}
const line = (number: number, text: string): OutputLine => ({
  number,
  stream: 'stdout',
  text,
  truncated: false,
  at: '1970-01-01T00:00:00.000Z',
});

test('lines are numbered and published in batches', async () => {
  const { clock, output, events } = outputOf();
  output.append('stdout', 'one', false);
  output.append('stdout', 'two', false);
  expect(events).toEqual([]);
  await clock.advance(60);
  expect(events).toEqual([
    { type: 'app-output.appended', runId: 'r1', appName: 'dance', lines: [line(1, 'one'), line(2, 'two')] },
  ]);
  expect(output.page({ after: 1 })).toEqual({
    runId: 'r1',
    appName: 'dance',
    firstKept: 1,
    last: 2,
    lines: [line(2, 'two')],
  });
});

test('a flood is published as a gap and its newest lines, and the oldest are dropped', async () => {
  const { clock, output, events } = outputOf();
  const total = MAX_LINES * 3;
  for (let number = 1; number <= total; number++) output.append('stdout', `line ${number}`, false);
  await clock.advance(60);
  expect(events.map((event) => event.type)).toEqual(['app-output.gap', 'app-output.appended']);
  expect(events[0]).toMatchObject({ from: 1, to: total - 200 });
  const page = output.page();
  expect(page.last).toBe(total);
  expect(page.lines).toHaveLength(PAGE_LINES);
  expect(page.lines.at(-1)?.text).toBe(`line ${total}`);
  expect(page.firstKept).toBeGreaterThan(total - MAX_LINES);
  expect(output.page({ after: 0 }).lines[0]?.number).toBe(page.firstKept);
});

test('long lines are bounded by their characters, however few they are', async () => {
  const { clock, output, events } = outputOf();
  const long = 'x'.repeat(MAX_LINE_BYTES);
  for (let number = 0; number < 2_000; number++) output.append('stderr', long, false);
  const kept = output.page().last - output.page().firstKept + 1;
  expect(kept * MAX_LINE_BYTES).toBeLessThanOrEqual(MAX_CHARACTERS);
  expect(kept).toBeGreaterThan(100);
  await clock.advance(60);
  expect(events).toMatchObject([
    { type: 'app-output.gap', from: 1, to: 2_000 - PUBLISH_CHARACTERS / MAX_LINE_BYTES },
    { type: 'app-output.appended', lines: { length: PUBLISH_CHARACTERS / MAX_LINE_BYTES } },
  ]);
  const inPage = PAGE_CHARACTERS / MAX_LINE_BYTES;
  const numbers = (query?: { after?: number; before?: number }) => output.page(query).lines.map(({ number }) => number);
  const newest = Array.from({ length: inPage }, (_, index) => 2_001 - inPage + index);
  expect(numbers()).toEqual(newest);
  expect(numbers({ before: 2_001 - inPage })).toEqual(newest.map((number) => number - inPage));
  expect(numbers({ after: 2_000 - inPage - 9 })).toEqual(newest.map((number) => number - 9));
  expect(numbers({ before: 1 })).toEqual([]);
});

test('a new run starts from line 1', () => {
  const { output, events } = outputOf();
  output.append('stderr', 'old', false);
  output.begin('r2', 'wave');
  output.append('stdout', 'new', false);
  output.flush();
  expect(events).toHaveLength(2);
  expect(output.page()).toMatchObject({ runId: 'r2', appName: 'wave', lines: [line(1, 'new')] });
  expect(output.newest(5).map(({ text }) => text)).toEqual(['new']);
});

test('the output of an earlier daemon is restored after its last gap, up to its end', () => {
  const { output, events } = outputOf();
  output.restore('r0', 'dance', [line(3, 'a'), line(4, 'b'), line(9, 'c'), line(10, 'd')]);
  expect(output.page()).toMatchObject({ runId: 'r0', firstKept: 9, last: 10 });
  expect(output.page({ after: 9 }).lines.map(({ text }) => text)).toEqual(['d']);
  output.flush();
  expect(events).toEqual([]);
});
