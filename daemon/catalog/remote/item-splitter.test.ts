import { expect, test } from 'vitest';
import { ItemSplitter } from './item-splitter.ts';

/** What comes out when a text arrives in pieces of a length. */
function split(text: string, length = text.length): { items: unknown[]; rest: unknown } {
  const splitter = new ItemSplitter();
  const items: unknown[] = [];
  for (let at = 0; at < text.length; at += length) {
    for (const item of splitter.push(text.slice(at, at + length))) items.push(JSON.parse(item));
  }
  return { items, rest: splitter.end() };
}

const odd = [
  { a: 'a "quote", a \\ and ] } [ {', b: [1, [2, { c: [] }]], 'k"e,y]': null },
  'text, with ]',
  -1.5e3,
  [[], [[]], {}],
  null,
  '\\',
  '\\"',
  { items: [1, 2] },
  {},
];

test.each([
  ['as it is written by a program', JSON.stringify({ items: odd })],
  ['as it is written for people', JSON.stringify({ items: odd }, null, 4)],
  [
    'with what else it says',
    JSON.stringify({ total: 9, note: '"items":[1]', next: { items: [3] }, items: odd, last: [4] }),
  ],
])('a list %s comes out as its items, wherever it is cut', (_, text) => {
  const whole = JSON.parse(text) as object;
  for (let length = 1; length <= text.length; length += 1) {
    expect(split(text, length)).toEqual({ items: odd, rest: { ...whole, items: [] } });
  }
});

test.each([
  ['an empty list', '{"items":[]}', { items: [] }],
  ['an empty list with room', '{ "items" : [ \n ] }', { items: [] }],
  ['a list of another name', '{"models":[1,2]}', { models: [1, 2] }],
  ['a name that only ends like it', '{"my\\"items":[1,2]}', { 'my"items': [1, 2] }],
  ['a list further down', '{"data":{"items":[1]}}', { data: { items: [1] } }],
  ['no object', '[{"items":[1]}]', [{ items: [1] }]],
  ['what is called so and no list', '{"items":{"a":1}}', { items: { a: 1 } }],
])('%s has no items, and is told as it is', (_, text, rest) => {
  expect(split(text)).toEqual({ items: [], rest });
});

test.each([
  '',
  '<!doctype html><p>Sign in',
  '{"items":[1,2',
  '{"items":[1,2]',
  '{"items":[1,2}',
  '{"items":[1,,2]}',
  '{"items":[,]}',
  '{"items":[1,]}',
  '{"items":[1 2]}',
  '{"items":[{]}]}',
  '{"items":["open]}',
  '{"items":[1]} more',
  '{"items":[1],}',
])('%j is no JSON', (text) => {
  expect(() => split(text)).toThrow(SyntaxError);
  expect(() => split(text, 1)).toThrow(SyntaxError);
});

test('one item, or what is around them, without end is refused while it arrives', () => {
  const megabyte = 'x'.repeat(1024 ** 2);
  expect(() => split(`{"items":["${megabyte}`, 65_536)).toThrow(RangeError);
  expect(() => split(`{"note":"${megabyte}`, 65_536)).toThrow(RangeError);
});
