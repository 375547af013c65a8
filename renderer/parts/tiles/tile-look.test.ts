import { expect, test } from 'vitest';
import { tileLook } from './tile-look.ts';

test.each([
  ['Hello wave', 'HW'],
  ['hello_wave', 'HW'],
  ['The long name of an app', 'TL'],
  ['Dance', 'Da'],
  ['meta-llama', 'ML'],
  ['BAAI', 'BA'],
  ['01-ai', '0A'],
  ['  a  ', 'A'],
  ['é', 'É'],
  ['日本', '日本'],
  ['שלום עולם', 'שע'],
  ['🎉 party', 'Pa'],
  ['🎉', ''],
  ['', ''],
  [`Z${'\u0300'.repeat(500)}`, 'Z\u0300\u0300\u0300'],
])('the letters of %j are %j', (name, letters) => {
  expect(tileLook(name).letters.join('')).toBe(letters);
});

test('a name has one look, and the names of a page have many', () => {
  const looks = Array.from({ length: 24 }, (_, index) => `App ${index}`).map((name) => {
    const { tone, shape } = tileLook(name);
    expect(tileLook(name)).toMatchObject({ tone, shape });
    return `${tone} ${shape}`;
  });
  expect(new Set(looks).size).toBe(12);
});
