import { expect, test } from 'vitest';
import { hrefOf, type Page, parseRoute, type RouteParams } from './route.ts';

const noParams = {
  appName: null,
  spaceId: null,
  ownAppId: null,
  modelId: null,
  endpointId: null,
  tab: null,
  run: null,
  query: '',
};

test.each<[string, Page, RouteParams]>([
  ['#/', 'home', {}],
  ['#/settings', 'settings', {}],
  ['#/help?section=report', 'help', { query: 'section=report' }],
  ['#/apps?tab=discover', 'apps', { tab: 'discover' }],
  ['#/apps/dance?tab=runs&run=0a1b', 'apps', { appName: 'dance', tab: 'runs', run: '0a1b' }],
  ['#/apps/store/anna/dance', 'apps', { spaceId: 'anna/dance' }],
  ['#/apps/own/0123456789abcdef?publish=', 'apps', { ownAppId: '0123456789abcdef', query: 'publish=' }],
  ['#/models?task=text-generation&search=a+b', 'models', { query: 'task=text-generation&search=a+b' }],
  ['#/models?tab=endpoints&page=2', 'models', { tab: 'endpoints', query: 'page=2' }],
  ['#/models/anna/big-model', 'models', { modelId: 'anna/big-model' }],
  ['#/models/endpoints/lab/chat?tab=log', 'models', { endpointId: 'lab/chat', tab: 'log' }],
  ['#/apps/a%20b', 'apps', { appName: 'a b' }],
])('%s is parsed and formatted back', (hash, page, params) => {
  expect(parseRoute(hash)).toEqual({ page, ...noParams, ...params });
  expect(hrefOf(page, params)).toBe(hash);
});

test.each(['store', 'own'])('an app may be called %s', (appName) => {
  expect(parseRoute(`#/apps/${appName}`)).toEqual({ page: 'apps', ...noParams, appName });
});

test('a model may be of an author called endpoints', () => {
  expect(parseRoute('#/models/endpoints/tiny')).toEqual({ page: 'models', ...noParams, modelId: 'endpoints/tiny' });
});

test('an unknown address opens Home', () => {
  expect(parseRoute('#/%zz/%')).toEqual({ page: 'home', ...noParams });
});
