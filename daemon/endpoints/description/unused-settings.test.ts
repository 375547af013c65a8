import { expect, test } from 'vitest';
import { partsNamed } from '../../testing/models/some-endpoints.ts';
import { unusedSettings, unusedSettingsText } from './unused-settings.ts';

const parts = partsNamed('chat');
const scaled = (scaling: object) => ({
  compute: { ...parts.compute, scaling: { ...parts.compute.scaling, ...scaling } },
});
const features = (more: object) => ({ experimentalFeatures: { ...parts.experimentalFeatures, ...more } });

test('an endpoint with the defaults has none', () => {
  expect(unusedSettings(parts)).toEqual([]);
  expect(unusedSettingsText(parts)).toBeNull();
});

test.each<[string[], object]>([
  [['route'], { route: { domain: 'a.example', path: '/' } }],
  [['maxReplica'], scaled({ maxReplica: 3 })],
  [[], scaled({ minReplica: 2, maxReplica: 2 })],
  [['measure'], scaled({ measure: { pendingRequests: null } })],
  [['loadBalancer'], features({ loadBalancer: 'sticky' })],
  [[], features({ loadBalancer: 'least_connections' })],
  [['mcpLb'], features({ mcpLb: { stateful: true } })],
  [['cacheHttpResponses'], { cacheHttpResponses: true }],
  [['notifications'], { notifications: { email: true, push: false } }],
])('%j of %j', (names, more) => expect(unusedSettings({ ...parts, ...more })).toEqual(names));

test('they are named in one sentence', () => {
  const more = { ...scaled({ maxReplica: 3 }), cacheHttpResponses: true };
  expect(unusedSettingsText({ ...parts, ...more })).toBe('Not used on this machine: maxReplica, cacheHttpResponses.');
});
