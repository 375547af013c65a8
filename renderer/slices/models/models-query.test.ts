import { expect, test } from 'vitest';
import { hrefOfModels, modelQueryText, parseModelQuery, withoutFilters } from './models-query.ts';

test.each([
  '',
  'search=big+model&task=text-generation&accelerator=cpu&fits=false&fitsCard=true&sort=name&page=3',
  'engine=vllm',
])('the query "%s" is parsed and formatted back', (text) => {
  expect(modelQueryText(parseModelQuery(text))).toBe(text);
});

test('invalid values in an address are ignored', () => {
  const text = 'accelerator=abacus&engine=steam&sort=worst&page=-1&fits=maybe&fitsCard=1&made=x&author=';
  expect(parseModelQuery(text)).toEqual({ search: '', fits: true, fitsCard: false, sort: 'best', page: 1 });
});

test('a change starts at the first page, and undefined removes a filter', () => {
  const query = parseModelQuery('task=translation&search=x&sort=name&page=4');
  expect(hrefOfModels(query, { license: 'mit' })).toBe('#/models?search=x&task=translation&license=mit&sort=name');
  expect(hrefOfModels(query, { task: undefined })).toBe('#/models?search=x&sort=name');
  expect(hrefOfModels(query, { page: 5 })).toBe('#/models?search=x&task=translation&sort=name&page=5');
  expect(hrefOfModels(withoutFilters(query))).toBe('#/models?sort=name');
  expect(hrefOfModels(withoutFilters({ ...query, fits: false }))).toBe('#/models?fits=false&sort=name');
});
