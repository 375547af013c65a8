import { expect, test } from 'vitest';
import { partsNamed } from '../../testing/models/some-endpoints.ts';
import { unusedSettings, unusedSettingsText } from './unused-settings.ts';

const parts = partsNamed('chat');
const scaled = (scaling: object) => ({
  compute: { ...parts.compute, scaling: { ...parts.compute.scaling, ...scaling } },
});
const customRouter = { env: {}, grpcPort: null, port: null, protocol: 'http' as const, tag: 'v1' };
const features = (more: object) => ({ experimentalFeatures: { ...parts.experimentalFeatures, ...more } });

test('an endpoint with the defaults has none', () => {
  expect(unusedSettings(parts, false)).toEqual([]);
  expect(unusedSettingsText(parts, false)).toBeNull();
});

test.each<[string[], object]>([
  [['route'], { route: { domain: 'a.example', path: '/' } }],
  [[], scaled({ minReplica: 2, maxReplica: 3, measure: { pendingRequests: null } })],
  [[], features({ loadBalancer: 'sticky', mcpLb: { stateful: true } })],
  [[], { cacheHttpResponses: true }],
  [['notifications.email'], { notifications: { email: true, push: true } }],
  [[], { notifications: { email: false, push: true } }],
])('%j of %j', (names, more) => expect(unusedSettings({ ...parts, ...more }, false)).toEqual(names));

test('they are named in one sentence', () => {
  const more = { route: { domain: 'a.example', path: '/' }, customRouter };
  expect(unusedSettingsText({ ...parts, ...more }, false)).toBe('Not used on this machine: customRouter, route.');
});

test('mail is used once a mail server is set up', () => {
  const more = { ...parts, notifications: { email: true, push: false } };
  expect(unusedSettings(more, true)).toEqual([]);
  expect(unusedSettingsText(more, true)).toBeNull();
  expect(unusedSettingsText({ ...more, route: { domain: 'a.example', path: '/' } }, false)).toBe(
    'Not used on this machine: route. It sends no mail: no mail server is set up.',
  );
});
