import { expect, test } from 'vitest';
import type { Endpoint } from '../../../daemon/contract/endpoints/endpoint.ts';
import { endpoint } from '../../testing/model-fixtures.ts';
import { changeOf, fieldOf, problemsOf, valuesOf, withoutEffect } from './scaling-form.ts';

const before = endpoint('ours');
const values = valuesOf(before);

test('unchanged settings are no change; only what differs is sent', () => {
  expect(changeOf(values, before)).toBeNull();
  expect(changeOf({ ...values, type: 'public' }, before)).toEqual({ type: 'public' });
  expect(changeOf({ ...values, scaleToZeroTimeout: ' 7 ' }, before)).toEqual({
    compute: { scaling: { minReplica: 0, maxReplica: 1, scaleToZeroTimeout: 7 } },
  });
  // One that always runs has no time until it sleeps.
  expect(changeOf({ ...values, minReplica: '1' }, before)).toEqual({
    compute: { scaling: { minReplica: 1, maxReplica: 1, scaleToZeroTimeout: null } },
  });
});

const measured = (measure: NonNullable<Endpoint['compute']['scaling']['measure']>) => {
  const { compute } = before;
  return endpoint('ours', { compute: { ...compute, scaling: { ...compute.scaling, measure } } });
};

test('the measure is sent if it, or its threshold, differs; without one, that of requests is shown', () => {
  expect(values).toMatchObject({ measure: 'pendingRequests', threshold: '' });
  expect(changeOf({ ...values, threshold: '2,5' }, before)).toEqual({
    compute: { scaling: { measure: { pendingRequests: 2.5 } } },
  });
  expect(changeOf({ ...values, measure: 'hardwareUsage' }, before)).toEqual({
    compute: { scaling: { measure: { hardwareUsage: null } } },
  });
  const busy = measured({ hardwareUsage: 60 });
  expect(valuesOf(busy)).toMatchObject({ measure: 'hardwareUsage', threshold: '60' });
  expect(changeOf(valuesOf(busy), busy)).toBeNull();
  expect(changeOf({ ...valuesOf(busy), threshold: '' }, busy)).toEqual({
    compute: { scaling: { measure: { hardwareUsage: null } } },
  });
  const usual = measured({ pendingRequests: null });
  expect(changeOf(valuesOf(usual), usual)).toBeNull();
});

test.each([
  ['random', 'least_connections', { loadBalancer: 'least_connections', mcpLb: null }],
  ['sticky', 'mcp', { mcpLb: { stateful: true } }],
] as const)('of an endpoint whose requests go by the rule %s, the rule %s is sent as %o', (rule, next, sent) => {
  const { experimentalFeatures } = before;
  const ruled = endpoint('ours', { experimentalFeatures: { ...experimentalFeatures, loadBalancer: rule } });
  expect(valuesOf(ruled).balancing).toBe(rule);
  expect(changeOf({ ...valuesOf(ruled), balancing: next }, ruled)).toEqual({ experimentalFeatures: sent });
});

test('the rule for MCP servers comes before the other, as in the daemon, and is set off with it', () => {
  const { experimentalFeatures } = before;
  const mcp = (stateful: boolean) =>
    endpoint('ours', {
      experimentalFeatures: { ...experimentalFeatures, loadBalancer: 'sticky', mcpLb: { stateful } },
    });
  expect(valuesOf(mcp(true)).balancing).toBe('mcp');
  expect(valuesOf(mcp(false)).balancing).toBe('mcp-stateless');
  expect(changeOf({ ...valuesOf(mcp(true)), balancing: 'sticky' }, mcp(true))).toEqual({
    experimentalFeatures: { loadBalancer: 'sticky', mcpLb: null },
  });
});

test.each([
  ['0', '1', 'With one replica at most, the next two choices have no effect yet.'],
  ['2', '2', 'With always 2 replicas, the next choice has no effect.'],
  ['1', '2', null],
  ['2', '1', null],
])('at least %s and at most %s replicas: %s', (minReplica, maxReplica, text) => {
  expect(withoutEffect({ ...values, minReplica, maxReplica })).toBe(text);
});

test.each([
  [{ threshold: '-1' }, ['threshold']],
  [{ threshold: '1e3' }, ['threshold']],
  [{ measure: 'hardwareUsage', threshold: '101' }, ['threshold']],
  [{ measure: 'pendingRequests', threshold: '101' }, []],
  [{ measure: 'hardwareUsage', threshold: '100' }, []],
  [{ minReplica: '' }, ['minReplica']],
  [{ minReplica: '1.5' }, ['minReplica']],
  [{ minReplica: '2' }, ['maxReplica']],
  [{ maxReplica: '-1' }, ['maxReplica']],
  [{ maxReplica: '99999999999' }, ['maxReplica']],
  [{ maxReplica: '32' }, []],
  [{ maxReplica: '33' }, ['maxReplica']],
  [{ minReplica: '33' }, ['maxReplica', 'minReplica']],
  [{ scaleToZeroTimeout: 'x' }, ['scaleToZeroTimeout']],
  [{ minReplica: '1', scaleToZeroTimeout: 'x' }, []],
] as const)('%o has problems at %o', (change, fields) => {
  expect(Object.keys(problemsOf({ ...values, ...change }))).toEqual(fields);
});

test('an issue of the daemon belongs to the field that its path ends with', () => {
  expect(fieldOf({ path: ['compute', 'scaling', 'maxReplica'], message: '' })).toBe('maxReplica');
  expect(fieldOf({ path: ['compute', 'scaling', 'measure', 'hardwareUsage'], message: '' })).toBe('threshold');
  expect(fieldOf({ path: ['model'], message: '' })).toBeUndefined();
});

test('more replicas than one machine runs are refused with the sentence of the daemon', () => {
  expect(problemsOf({ ...values, maxReplica: '33' })).toEqual({
    maxReplica: 'One machine runs at most 32 replicas of an endpoint.',
  });
});
