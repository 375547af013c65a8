import { expect, test } from 'vitest';
import { hrefOfStore, parseStoreQuery, storeQueryText } from './store-query.ts';

test.each(['', 'search=a+robot&sort=recent&page=3', 'sort=updated'])(
  'the query "%s" is parsed and formatted back',
  (text) => {
    expect(storeQueryText(parseStoreQuery(text))).toBe(text);
  },
);

test.each(['sort=best&page=-1', 'page=1.5', 'page=1e9', 'page=&made=x'])(
  'invalid values of "%s" are ignored',
  (text) => {
    expect(parseStoreQuery(text)).toEqual({ search: '', sort: 'popular', page: 1 });
  },
);

test('a change starts at the first page', () => {
  const query = parseStoreQuery('search=x&sort=recent&page=4');
  expect(hrefOfStore(query, { sort: 'updated' })).toBe('#/apps?tab=discover&search=x&sort=updated');
  expect(hrefOfStore(query, { page: 5 })).toBe('#/apps?tab=discover&search=x&sort=recent&page=5');
});
