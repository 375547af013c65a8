import { expect, test } from 'vitest';
import { shownPages } from './Paging.tsx';

test.each([
  [1, 1, [1]],
  [1, 3, [1, 2, 3]],
  [1, 43, [1, 2, 3, 43]],
  [4, 43, [1, 2, 3, 4, 5, 6, 43]],
  [5, 43, [1, 2, 3, 4, 5, 6, 7, 43]],
  [20, 43, [1, 18, 19, 20, 21, 22, 43]],
  [43, 43, [1, 41, 42, 43]],
])('on page %i of %i', (page, pages, shown) => {
  expect(shownPages(page, pages)).toEqual(shown);
});
