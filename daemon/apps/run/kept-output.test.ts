import { expect, test } from 'vitest';
import type { AppRun, OutputLine } from '../../contract/apps/runs.ts';
import { outputFile } from './kept-output.ts';

const at = '2026-01-01T10:20:30.000Z';
const line = (number: number, text: string, change: Partial<OutputLine> = {}): OutputLine => ({
  number,
  stream: 'stdout',
  text,
  truncated: false,
  at,
  ...change,
});
const run: AppRun = {
  runId: '00000000000000aa',
  appName: 'dance',
  version: '1.2.0',
  startedAt: at,
  endedAt: '2026-01-01T10:20:35.000Z',
  outcome: 'crashed',
  exitCode: 1,
  signal: null,
  message: 'It crashed.',
  diagnosis: null,
  killed: [],
};

const none = { kept: 0, last: 0, filter: {}, lines: [], since: '' };

test('an output file names the run, says what is missing, and gives each line its time and stream', () => {
  const lines = [line(4, 'one\ttab'), line(5, 'two', { stream: 'stderr', truncated: true })];
  expect(outputFile(run, run, { kept: 2, last: 5, filter: {}, lines, since: at })).toEqual({
    name: 'dance-2026-01-01T10-20-30.txt',
    text: [
      '# dance 1.2.0, run 00000000000000aa',
      '# 2026-01-01T10:20:30.000Z to 2026-01-01T10:20:35.000Z: It crashed.',
      '# 3 of 5 lines were not kept.',
      `${at} out one\ttab`,
      `${at} err two … cut here`,
      '',
    ].join('\n'),
  });
});

test('a file of matches says so in its name, and which lines they are of how many', () => {
  const lines = [line(5, 'two', { stream: 'stderr' })];
  const { name, text } = outputFile(run, null, {
    ...{ kept: 40, last: 40, lines, since: at },
    filter: { text: 'T\u001bW', errors: true },
  });
  expect(name).toBe('dance-matches-2026-01-01T10-20-30.txt');
  expect(text.split('\n')).toEqual([
    '# dance, run 00000000000000aa',
    '# 1 of 40 kept lines: those that tell of errors and contain "T\\u001bW".',
    `${at} err two`,
    '',
  ]);
});

test('characters that steer a terminal or turn the text around are escapes', () => {
  const { text } = outputFile(run, null, {
    ...none,
    lines: [line(1, 'a\u001b]0;title\u0007\u001b[2Jb\rc\u202edlrow\u2028e\u0085')],
  });
  expect(text).not.toMatch(/[^\P{Cc}\n]|[\u202e\u2028]/u);
  expect(text).toContain('a\\u001b]0;title\\u0007\\u001b[2Jb\\rc\\u202edlrow');
  expect(outputFile(run, null, none)).toEqual({ name: 'dance.txt', text: '# dance, run 00000000000000aa\n' });
});
