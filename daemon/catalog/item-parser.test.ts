import { expect, test } from 'vitest';
import { ItemParser } from './item-parser.ts';

/** Parses a text that arrives in pieces of `size` bytes. */
function parse(text: string | Uint8Array, length = Infinity, path: '$' | '$.items' = '$.items'): unknown[] {
  const parser = new ItemParser(path);
  const bytes = Buffer.from(text);
  const items: unknown[] = [];
  for (let at = 0; at < bytes.length; at += length) items.push(...parser.push(bytes.subarray(at, at + length)));
  parser.end();
  return items;
}

const odd = [
  { a: 'a "quote", a \\ and ] } [ {', b: [1, [2, { c: [] }]], 'k"e,y]': null, __proto__x: 1 },
  'text, with ]',
  'ä 模型 😀 \ud83d \u0000',
  -1.5e3,
  [[], [[]], {}],
  null,
  '\\',
  '\\"',
  { items: [1, 2] },
  {},
];

test.each([
  ['in compact form', JSON.stringify({ items: odd })],
  ['with indentation', JSON.stringify({ items: odd }, null, 4)],
  [
    'with other members',
    JSON.stringify({ total: 9, note: '"items":[1]', next: { items: [3] }, items: odd, last: [4] }),
  ],
])('a list %s is parsed into its items, wherever the pieces are cut', (_, text) => {
  const { length } = Buffer.from(text);
  for (let piece = 1; piece <= length; piece += 1) expect(parse(text, piece)).toEqual(odd);
});

test('a bare list is accepted for the path $', () => {
  expect(parse(JSON.stringify(odd), 7, '$')).toEqual(odd);
  expect(parse(' [ ] ', 1, '$')).toEqual([]);
  expect(() => parse('{"items":[1]}', 1, '$')).toThrow();
});

test.each(['{"items":[]}', '{ "items" : [ \n ] }\n', '\ufeff{"items":[]}'])('%j is an empty list', (text) => {
  expect(parse(text)).toEqual([]);
  expect(parse(text, 1)).toEqual([]);
});

test.each([
  ['a list of another name', '{"models":[1,2]}'],
  ['a name that only ends the same', '{"my\\"items":[1,2]}'],
  ['a nested list', '{"data":{"items":[1]}}'],
  ['no object', '[{"items":[1]}]'],
  ['a list that contains the name', '["items",[1]]'],
  ['an object of that name', '{"items":{"a":1}}'],
  ['an empty object of that name', '{"items":{}}'],
  ['a text of that name', '{"items":"[1]"}'],
  ['nothing', ''],
  ['a page', '<!doctype html><p>Sign in'],
  ['an incomplete list', '{"items":[1,2'],
  ['an incomplete object', '{"items":[1,2]'],
  ['the wrong bracket', '{"items":[1,2}'],
  ['two commas', '{"items":[1,,2]}'],
  ['a comma alone', '{"items":[,]}'],
  ['a comma at the end', '{"items":[1,]}'],
  ['no comma', '{"items":[1 2]}'],
  ['brackets that cross', '{"items":[{]}]}'],
  ['an open text', '{"items":["open]}'],
  ['more behind it', '{"items":[1]} more'],
  ['a comma behind it', '{"items":[1],}'],
  ['bytes that are not UTF-8', Buffer.from([...Buffer.from('{"items":["'), 0xff, ...Buffer.from('"]}')])],
])('%s is refused', (_, text) => {
  expect(() => parse(text)).toThrow();
  expect(() => parse(text, 1)).toThrow();
});

test('an endless item, or endless text around the items, is refused while it arrives', () => {
  const megabyte = 'x'.repeat(1024 ** 2);
  expect(() => parse(`{"items":["${megabyte}`, 65_536)).toThrow(RangeError);
  expect(() => parse(`{"note":"${megabyte}`, 65_536)).toThrow(RangeError);
  expect(() => parse(`{"items":[1],"note":"${megabyte}${megabyte}`, 65_536)).toThrow(RangeError);
});

test('endless nesting is refused while it arrives', () => {
  expect(() => parse(`{"note":${'['.repeat(100_000)}`)).toThrow(RangeError);
  expect(() => parse(`{"items":[${'{"a":'.repeat(100_000)}`)).toThrow(RangeError);
});
