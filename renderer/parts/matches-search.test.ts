import { expect, test } from 'vitest';
import { matchesSearch } from './matches-search.ts';

test.each<[string, boolean]>([
  ['', true],
  ['  ', true],
  ['CAFE', true],
  ['bot café', true],
  ['bot tea', false],
  ['שלום', true],
])('"%s" in a title and a name: %s', (search, expected) => {
  expect(matchesSearch(search, 'Café of the שלום', 'coffee_bot')).toBe(expected);
});
