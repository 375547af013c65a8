import { describe, expect, test } from 'vitest';
import type { OutputLine } from '../contract/apps/runs.ts';
import { type LineQuery, LineSelection } from './line-selection.ts';
import { Tracebacks } from './tracebacks.ts';

const line = (number: number, text: string, stream: OutputLine['stream'] = 'stdout'): OutputLine => ({
  number,
  stream,
  text,
  truncated: false,
  at: '2026-01-01T00:00:00.000Z',
});
const numbered = (count: number) => Array.from({ length: count }, (_, index) => line(index + 1, `line ${index + 1}`));

function select(lines: readonly OutputLine[], query: LineQuery, count = 3, characters = 1_000) {
  const tracebacks = new Tracebacks();
  const isError = ({ stream, text }: OutputLine) => stream === 'stderr' || tracebacks.includes(text);
  const selection = new LineSelection<OutputLine>(query, { lines: count, characters }, isError);
  for (const each of lines) selection.add(each);
  const { lines: selected, ...rest } = selection.result();
  return { numbers: selected.map(({ number }) => number), ...rest };
}

test.each<[string, LineQuery, readonly number[]]>([
  ['the newest lines', {}, [18, 19, 20]],
  ['the oldest after a number', { after: 4 }, [5, 6, 7]],
  ['the newest before a number', { before: 9 }, [6, 7, 8]],
  ['those between two numbers', { after: 17, before: 19 }, [18]],
  ['from the start', { after: 0 }, [1, 2, 3]],
  ['after the last', { after: 20 }, []],
  ['before the first', { before: 1 }, []],
  ['a text, in upper or lower case', { text: 'LINE 1' }, [17, 18, 19]],
  ['a text that is no pattern', { text: '.*' }, []],
])('selects %s', (_, query, expected) => {
  const { numbers, before } = select(numbered(20), query);
  expect(numbers).toEqual(expected);
  if (query.text === undefined && expected[0] !== undefined) expect(before).toBe(expected[0] - 1);
});

test('counts what is kept and what matches on all pages; gaps and dropped lines are not kept', () => {
  const lines = [...numbered(5), line(900, 'line 900'), line(901, 'other')].slice(1);
  expect(select(lines, { text: 'line', before: 3 }, 10)).toEqual({
    numbers: [2],
    firstKept: 2,
    last: 901,
    kept: 6,
    matches: 5,
    before: 0,
  });
  expect(select([], {})).toEqual({ numbers: [], firstKept: 1, last: 0, kept: 0, matches: 0, before: 0 });
});

test.each<[string, LineQuery, readonly number[]]>([
  ['the newest', {}, [19, 20]],
  ['the oldest', { after: 9 }, [10, 11]],
  ['the newest before a number', { before: 10 }, [8, 9]],
])('long lines are bounded by their characters: %s', (_, query, expected) => {
  const selected = select(numbered(20), query, 10, 2 * 'line 10'.length);
  expect(selected).toMatchObject({ numbers: expected, before: (expected[0] ?? 0) - 1, matches: 20 });
});

describe('errors', () => {
  const errors = (...texts: readonly (string | [string])[]) =>
    select(
      texts.map((text, index) =>
        typeof text === 'string' ? line(index + 1, text) : line(index + 1, text[0], 'stderr'),
      ),
      { errors: true },
      100,
    ).numbers;

  test.each<[string, readonly (string | [string])[], readonly number[]]>([
    ['stderr', ['out', ['err'], 'out'], [2]],
    [
      'a traceback on stdout, with the exception that it names',
      [
        'before',
        'Traceback (most recent call last):',
        '  File "a.py", line 1, in <module>',
        '    1 / 0',
        'ZeroDivisionError: by zero',
        'after',
        'more',
      ],
      [2, 3, 4, 5],
    ],
    [
      'exceptions that caused one another',
      [
        'Traceback (most recent call last):',
        '  File "a.py"',
        'KeyError: 1',
        '',
        'During handling of the above exception, another exception occurred:',
        '',
        'Traceback (most recent call last):',
        '  File "b.py"',
        'ValueError',
        'after',
      ],
      [1, 2, 3, 5, 7, 8, 9],
    ],
    [
      'a group of exceptions',
      [
        '  + Exception Group Traceback (most recent call last):',
        '  |   File "a.py"',
        '  | ExceptionGroup: two',
        '    +------------------------------------',
        'after',
      ],
      [1, 2, 3, 4],
    ],
    ['a word that only resembles one', ['error: no', '  indented', 'Traceback is a word'], []],
    [
      'stderr between the lines of a traceback on stdout',
      ['Traceback (most recent call last):', ['warning'], '  File "a.py"', 'ValueError', 'after'],
      [1, 2, 3, 4],
    ],
  ])('are %s', (_, texts, expected) => {
    expect(errors(...texts)).toEqual(expected);
  });

  test('and a text together: both must match', () => {
    expect(
      select([line(1, 'a', 'stderr'), line(2, 'b', 'stderr'), line(3, 'a')], { errors: true, text: 'A' }).numbers,
    ).toEqual([1]);
  });
});
