import { expect, test } from 'vitest';
import { moveTitle } from './moves-text.ts';

test.each([
  ['head_bob', 'Head bob'],
  ['cheerful1', 'Cheerful 1'],
  ['yes-no_12', 'Yes no 12'],
  ['a1b2', 'A1b 2'],
  ['__x__', 'X'],
  ['7', '7'],
])('the move %s is called %s', (name, title) => {
  expect(moveTitle(name)).toBe(title);
});
