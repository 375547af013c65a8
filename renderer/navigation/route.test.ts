import { expect, test } from 'vitest';
import { hrefOf, type Page, type Place, parseRoute } from './route.ts';

const nowhere = { appName: null, spaceId: null, modelId: null, tab: null, run: null, query: '' };

test.each<[string, Page, Place]>([
  ['#/', 'home', {}],
  ['#/settings', 'settings', {}],
  ['#/apps?tab=discover', 'apps', { tab: 'discover' }],
  ['#/apps/dance?tab=runs&run=0a1b', 'apps', { appName: 'dance', tab: 'runs', run: '0a1b' }],
  ['#/apps/store/anna/dance', 'apps', { spaceId: 'anna/dance' }],
  ['#/models?task=text-generation&search=a+b', 'models', { query: 'task=text-generation&search=a+b' }],
  ['#/models?tab=endpoints&page=2', 'models', { tab: 'endpoints', query: 'page=2' }],
  ['#/models/anna/big-model', 'models', { modelId: 'anna/big-model' }],
  ['#/apps/a%20b', 'apps', { appName: 'a b' }],
])('%s leads to a place, and the place back to it', (hash, page, place) => {
  expect(parseRoute(hash)).toEqual({ page, ...nowhere, ...place });
  expect(hrefOf(page, place)).toBe(hash);
});

test('an app may be called store', () => {
  expect(parseRoute('#/apps/store')).toEqual({ page: 'apps', ...nowhere, appName: 'store' });
});

test('an address that leads nowhere leads home', () => {
  expect(parseRoute('#/%zz/%')).toEqual({ page: 'home', ...nowhere });
});
