import { expect, test } from 'vitest';
import type { SampleApp } from '../contract/apps/apps.ts';
import { addressByName } from './startup-app.ts';

const wave: SampleApp = {
  name: 'wave',
  title: 'Wave',
  description: '',
  emoji: '👋',
  needs: [],
  url: '/samples/wave',
  needsNetwork: false,
  icon: null,
};

test('a sample takes precedence over an app of the store, which is used only for other names', async () => {
  const requests: string[] = [];
  const store = {
    ready: async () => void requests.push('ready'),
    addressOf: (name: string) => (name === 'dance' ? 'https://hub.test/spaces/ada/dance' : null),
  };
  const addressOf = (name: string) => addressByName(name, { shipped: { samples: [wave] }, store });
  expect(await addressOf('Wave')).toBe('/samples/wave');
  expect(requests).toEqual([]);
  expect(await addressOf('dance')).toBe('https://hub.test/spaces/ada/dance');
  expect(await addressOf('sing')).toBeNull();
  expect(requests).toEqual(['ready', 'ready']);
});
