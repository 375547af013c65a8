import { expect, test } from 'vitest';
import * as z from 'zod';
import { remoteText } from './remote-text.ts';

const asItIs = (text: string) => text;
const sentence = (body: unknown) => remoteText(body, asItIs).sentence;
const says = (words: string) => `The catalog service says: ${words}.`;

test.each([
  ['error', { error: 'No such model' }, '"No such model"'],
  ['error before message', { message: 'Not Found', error: 'No such model' }, '"No such model"'],
  ['message without an error', { message: 'No such model' }, '"No such model"'],
  ['message when the error is not a text', { error: true, message: 'No such model' }, '"No such model"'],
  ['message when the error is empty', { error: ' ', message: 'No such model' }, '"No such model"'],
  [
    'issues',
    { error: 'Bad body', issues: [{ code: 'custom', path: ['config', 'name'], message: 'is taken' }] },
    '"Bad body" (config.name: is taken)',
  ],
  [
    'several issues, one without a path',
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
  ['issues without a path, and invalid ones', { issues: ['odd', { message: 'bad' }, 5, null] }, '(odd; bad)'],
  [
    'details that are issues',
    { error: 'Bad query', details: [{ path: ['limit'], message: 'odd' }] },
    '"Bad query" (limit: odd)',
  ],
  ['details that are a text', { error: 'Bad query', details: 'limit is odd' }, '"Bad query" (limit is odd)'],
])('%s', (_, body, words) => {
  expect(sentence(body)).toBe(says(words));
});

test('a validator’s summary is reported with its paths, flat or as a tree', () => {
  const schema = z.strictObject({ limit: z.number(), list: z.array(z.strictObject({ name: z.string() })) });
  const { error } = schema.safeParse({ limit: 'x', list: [{ name: 1 }], other: 1 });
  if (!error) throw new Error('this is wrong on purpose');
  const flat = remoteText({ error: 'Bad query', details: z.flattenError(error) }, asItIs);
  const tree = remoteText({ error: 'Bad query', details: z.treeifyError(error) }, asItIs);
  expect(flat.issues.map(({ path }) => path)).toEqual([[], ['limit'], ['list']]);
  expect(tree.issues.map(({ path }) => path)).toEqual([[], ['limit'], ['list', 0, 'name']]);
  expect(tree.issues).toContainEqual({ path: ['limit'], message: expect.stringContaining('expected number') });
});

test.each([[undefined], [null], ['a page'], [[]], [{}], [{ error: 5 }], [{ error: '' }], [{ issues: {} }]])(
  '%j has no text',
  (body) => {
    expect(remoteText(body, asItIs)).toEqual({ sentence: null, issues: [] });
  },
);

test('hidden text appears nowhere, not even where a text is truncated', () => {
  const body = {
    error: `the token s3cret is bad ${'x'.repeat(470)} s3cret`,
    issues: [{ path: ['s3cret'], message: 's3cret\u202e' }],
  };
  const words = remoteText(body, (text) => text.replaceAll('s3cret', '…'));
  expect(JSON.stringify(words)).not.toMatch(/s3c|\u202e/);
});

test('long answers are truncated', () => {
  const issues = Array.from({ length: 1_000 }, (_, index) => ({ path: [index], message: 'y'.repeat(10_000) }));
  const words = remoteText({ error: 'x'.repeat(1_000_000), issues }, asItIs);
  expect(words.issues).toHaveLength(20);
  expect(words.issues[0]?.message).toHaveLength(500);
  expect(words.sentence?.length).toBeLessThan(2_000);
});

test('an endless tree is followed to a limited depth', () => {
  let tree: object = { errors: ['deep'] };
  for (let depth = 0; depth < 5_000; depth += 1) tree = { errors: [], properties: { a: tree } };
  expect(remoteText({ error: 'Bad', details: tree }, asItIs).issues).toEqual([]);
});
