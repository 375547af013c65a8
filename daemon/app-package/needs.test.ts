import { parse } from 'smol-toml';
import { expect, test } from 'vitest';
import { readNeeds } from './needs.ts';

const table = (lines: string) =>
  (parse(`[tool.robot.needs]\n${lines}`)['tool'] as { robot: { needs: unknown } }).robot.needs;
const problemOf = (needs: unknown) => readNeeds({ needs }).problems.map(({ message }) => message);

test('a need has a task, and may be optional', () => {
  const needs = table(
    'chat = { task = "text-generation" }\nembed_2 = { task = "feature-extraction", optional = true }\nsee = { task = "image-text-to-text", optional = false }',
  );
  expect(readNeeds({ needs })).toEqual({
    needs: [
      { name: 'chat', task: 'text-generation', optional: false },
      { name: 'embed_2', task: 'feature-extraction', optional: true },
      { name: 'see', task: 'image-text-to-text', optional: false },
    ],
    problems: [],
  });
  expect(readNeeds({})).toEqual({ needs: [], problems: [] });
  expect(readNeeds({ needs: table('') })).toEqual({ needs: [], problems: [] });
});

test.each<[string, string]>([
  ['chat = { task = "text-gen" }', 'wants the task "text-gen", which does not exist. Did you mean "text-generation"?'],
  ['chat = { task = "Text-Generation" }', 'Did you mean "text-generation"?'],
  ['chat = { task = "llm" }', 'wants the task "llm", which does not exist. Some tasks are "text-generation"'],
  ['chat = { task = "sentence-embeddings" }', 'which does not exist'],
  ['chat = { task = 3 }', 'wants the task 3, which does not exist'],
  ['chat = { task = ["text-generation"] }', 'wants the task ["text-generation"], which does not exist'],
  ['chat = { task = 2026-01-01 }', 'which does not exist'],
  ['chat = {}', 'names no task'],
  ['chat = { optional = true }', 'names no task'],
  ['chat = { task = "text-generation", optional = "yes" }', 'has optional = "yes". Write true or false.'],
  ['chat = { task = "text-generation", optinal = true }', 'has "optinal", which is unknown'],
  ['chat = "text-generation"', 'is not a table with a task'],
  ['chat = ["text-generation"]', 'is not a table with a task'],
  ['chat = 2026-01-01', 'is not a table with a task'],
  ['Chat = { task = "text-generation" }', '"Chat" is not a valid name'],
  ['my-chat = { task = "text-generation" }', '"my-chat" is not a valid name'],
  ['"" = { task = "text-generation" }', '"" is not a valid name'],
  ['1st = { task = "text-generation" }', '"1st" is not a valid name'],
  [`${'a'.repeat(33)} = { task = "text-generation" }`, 'is not a valid name'],
  ['"a\\nb" = { task = "text-generation" }', '"a b" is not a valid name'],
])('%s is a problem', (line, message) => {
  expect(problemOf(table(line))).toEqual([expect.stringContaining(message)]);
  expect(readNeeds({ needs: table(line) }).needs).toEqual([]);
});

test('every invalid entry is named, beside valid ones', () => {
  const needs = table('a = 1\nchat = { task = "text-generation" }\nb = 2');
  expect(problemOf(needs)).toEqual([expect.stringContaining('"a"'), expect.stringContaining('"b"')]);
});

test('at most eight needs, in a table', () => {
  const lines = (count: number) =>
    Array.from({ length: count }, (_, index) => `n${index} = { task = "text-generation" }`).join('\n');
  expect(readNeeds({ needs: table(lines(8)) }).needs).toHaveLength(8);
  expect(problemOf(table(lines(9)))).toEqual([expect.stringContaining('has 9 entries')]);
  for (const other of ['chat', 3, true, null, ['chat'], new Date(0)]) {
    expect(problemOf(other)).toEqual([expect.stringContaining('is not a table')]);
  }
});

test('a very long name or task makes no long message', () => {
  const [message = ''] = problemOf({ ['x'.repeat(10_000)]: { task: 'y'.repeat(10_000) } });
  expect(message.length).toBeLessThan(300);
  expect(problemOf({ chat: { task: 'y'.repeat(10_000) } })[0]?.length).toBeLessThan(400);
});

test('a misspelled table is a problem, and other settings are not', () => {
  for (const key of ['need', 'Needs', 'NEEDS', 'need s', 'needed']) {
    expect(readNeeds({ [key]: {} }).problems).toMatchObject([{ message: expect.stringContaining('mean "needs"?') }]);
  }
  expect(readNeeds({ baseline: true, theme: 'dark', needle: 1 })).toEqual({ needs: [], problems: [] });
});
