import { expect, test } from 'vitest';
import * as z from 'zod';
import { remoteWords } from './remote-text.ts';

const asItIs = (text: string) => text;
const sentence = (body: unknown) => remoteWords(body, asItIs).sentence;
const says = (words: string) => `The catalog service says: ${words}.`;

test.each([
  ['error', { error: 'No such model' }, '"No such model"'],
  ['error before message', { message: 'Not Found', error: 'No such model' }, '"No such model"'],
  ['message where there is no error', { message: 'No such model' }, '"No such model"'],
  ['message where the error is no text', { error: true, message: 'No such model' }, '"No such model"'],
  ['message where the error is empty', { error: ' ', message: 'No such model' }, '"No such model"'],
  [
    'issues',
    { error: 'Bad body', issues: [{ code: 'custom', path: ['config', 'name'], message: 'is taken' }] },
    '"Bad body" (config.name: is taken)',
  ],
  [
    'several issues, one of them about the whole',
    {
      error: 'Bad body',
      issues: [
        { path: [], message: 'no object' },
        { path: ['a', 0], message: 'odd' },
      ],
    },
    '"Bad body" (no object; a.0: odd)',
  ],
  ['issues alone', { issues: [{ path: ['a'], message: 'odd' }] }, '(a: odd)'],
  ['issues whose path is a text', { issues: [{ path: 'a.b', message: 'odd' }] }, '(a.b: odd)'],
  ['issues without a path, and what is none', { issues: ['odd', { message: 'bad' }, 5, null] }, '(odd; bad)'],
  [
    'details that are issues',
    { error: 'Bad query', details: [{ path: ['limit'], message: 'odd' }] },
    '"Bad query" (limit: odd)',
  ],
  ['details that are a text', { error: 'Bad query', details: 'limit is odd' }, '"Bad query" (limit is odd)'],
])('%s', (_, body, words) => {
  expect(sentence(body)).toBe(says(words));
});

test('what a validator sums up is told with its paths, flat or as a tree', () => {
  const schema = z.strictObject({ limit: z.number(), list: z.array(z.strictObject({ name: z.string() })) });
  const { error } = schema.safeParse({ limit: 'x', list: [{ name: 1 }], other: 1 });
  if (!error) throw new Error('this is wrong on purpose');
  const flat = remoteWords({ error: 'Bad query', details: z.flattenError(error) }, asItIs);
  const tree = remoteWords({ error: 'Bad query', details: z.treeifyError(error) }, asItIs);
  expect(flat.issues.map(({ path }) => path)).toEqual([[], ['limit'], ['list']]);
  expect(tree.issues.map(({ path }) => path)).toEqual([[], ['limit'], ['list', 0, 'name']]);
  expect(tree.issues).toContainEqual({ path: ['limit'], message: expect.stringContaining('expected number') });
});

test.each([[undefined], [null], ['a page'], [[]], [{}], [{ error: 5 }], [{ error: '' }], [{ issues: {} }]])(
  'in %j there are no words',
  (body) => {
    expect(remoteWords(body, asItIs)).toEqual({ sentence: null, issues: [] });
  },
);

test('what is hidden is nowhere, also where a text is cut off', () => {
  const body = {
    error: `the token s3cret is bad ${'x'.repeat(470)} s3cret`,
    issues: [{ path: ['s3cret'], message: 's3cret\u202e' }],
  };
  const words = remoteWords(body, (text) => text.replaceAll('s3cret', '…'));
  expect(JSON.stringify(words)).not.toMatch(/s3c|\u202e/);
});

test('long answers become short ones', () => {
  const issues = Array.from({ length: 1_000 }, (_, index) => ({ path: [index], message: 'y'.repeat(10_000) }));
  const words = remoteWords({ error: 'x'.repeat(1_000_000), issues }, asItIs);
  expect(words.issues).toHaveLength(20);
  expect(words.issues[0]?.message).toHaveLength(500);
  expect(words.sentence?.length).toBeLessThan(2_000);
});

test('a tree without end is not followed for ever', () => {
  let tree: object = { errors: ['deep'] };
  for (let depth = 0; depth < 5_000; depth += 1) tree = { errors: [], properties: { a: tree } };
  expect(remoteWords({ error: 'Bad', details: tree }, asItIs).issues).toEqual([]);
});
