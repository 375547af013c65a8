import { expect, test } from 'vitest';
import { EndpointLog } from '../../contract/endpoints/endpoint-log.ts';
import { manualClock } from '../../testing/manual-clock.ts';
import { EndpointOutput, MAX_CHARACTERS, MAX_LINES } from './endpoint-output.ts';

function begin() {
  const reports: number[] = [];
  const clock = manualClock(async () => {});
  const output: EndpointOutput = new EndpointOutput(clock, () => reports.push(output.last));
  return { output, clock, reports };
}
const numbers = ({ lines }: EndpointLog) => [lines[0]?.number, lines.at(-1)?.number, lines.length];

test('lines are numbered; a page has the newest ones, or the oldest after a number', () => {
  const { output } = begin();
  for (let line = 1; line <= 3_000; line++) output.add(`line ${line}`, false);
  const newest = EndpointLog.parse(output.page());
  expect(numbers(newest)).toEqual([2_001, 3_000, 1_000]);
  expect(newest).toMatchObject({ firstKept: 1, last: 3_000, matches: 3_000, logId: output.logId });
  expect(numbers(output.page({ after: 100 }))).toEqual([101, 1_100, 1_000]);
  expect(output.page({ after: 3_000 }).lines).toEqual([]);
  expect(output.page({ text: 'LINE 299' }).lines.map(({ number }) => number)).toEqual([299, ...range(2_990, 2_999)]);
});
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index);

test('a flood keeps the newest lines, bounded in number and in characters, also of the page', () => {
  const { output } = begin();
  for (let line = 1; line <= 100_000; line++) output.add('x', false);
  const { firstKept, last, matches } = output.page();
  expect(last).toBe(100_000);
  expect(matches).toBeLessThanOrEqual(MAX_LINES);
  expect(matches).toBeGreaterThan(MAX_LINES / 2);
  expect(firstKept).toBe(last - matches + 1);

  const long = begin().output;
  for (let line = 1; line <= 4_000; line++) long.add('y'.repeat(1_000), true);
  expect(long.page().matches * 1_000).toBeLessThanOrEqual(MAX_CHARACTERS);
  expect(long.page().lines.length).toBeLessThan(300);
  expect(long.page().lines.at(-1)?.number).toBe(4_000);
});

test('growth is reported a few times a second, with the newest line', async () => {
  const { output, clock, reports } = begin();
  for (let line = 1; line <= 500; line++) output.add('x', false);
  expect(reports).toEqual([]);
  await clock.advance(250);
  expect(reports).toEqual([500]);
  output.add('x', false);
  await clock.advance(250);
  await clock.advance(250);
  expect(reports).toEqual([500, 501]);
});

test('matches have pages: those before a number, with how many come before them', () => {
  const { output } = begin();
  for (let line = 1; line <= 4_000; line++) output.add(`line ${line} ${line % 2 === 0 ? 'error: x' : 'ok'}`, false);
  const newest = output.page({ errors: true });
  expect([newest.kept, newest.matches, newest.before, ...numbers(newest)]).toEqual([
    ...[4_000, 2_000, 1_000],
    ...[2_002, 4_000, 1_000],
  ]);
  const older = output.page({ errors: true, before: 2_002 });
  expect([older.before, ...numbers(older)]).toEqual([0, 2, 2_000, 1_000]);
  expect(numbers(output.page({ errors: true, after: 2_000 }))).toEqual([2_002, 4_000, 1_000]);
});

test('the file has every kept line with its time; what steers a terminal is made visible', () => {
  const { output } = begin();
  output.add('a\tb', false);
  output.add('\u001b[2Jgone\u202e', true);
  const { name, text } = output.file('tiny');
  expect(name).toMatch(/^tiny-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.txt$/);
  expect(text.split('\n')).toEqual([
    '# tiny',
    expect.stringMatching(/^\S+Z a\tb$/),
    expect.stringMatching(/^\S+Z \\u001b\[2Jgone\\u202e … cut here$/),
    '',
  ]);
});

test('a file of matches has all of them, more than a page', () => {
  const { output } = begin();
  for (let line = 1; line <= 3_000; line++) output.add(line % 2 === 0 ? 'error: x' : 'ok', false);
  const { name, text } = output.file('tiny', { errors: true, text: 'X' });
  expect(name).toMatch(/^tiny-matches-2026/);
  const lines = text.split('\n');
  expect(lines.slice(0, 2)).toEqual([
    '# tiny',
    '# 1500 of 3000 kept lines: those that tell of errors and contain "X".',
  ]);
  expect(lines.slice(2, -1).every((line) => line.endsWith(' error: x'))).toBe(true);
  expect(lines.length).toBe(2 + 1_500 + 1);
});
