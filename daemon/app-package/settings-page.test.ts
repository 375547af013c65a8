import { expect, test } from 'vitest';
import { settingsPageFrom } from './settings-page.ts';

test.each([
  ['http://localhost:8042', 8042, '/'],
  ['http://0.0.0.0:8042/', 8042, '/'],
  ['http://my-robot.local:7860/ui/?tab=1#top', 7860, '/ui/?tab=1#top'],
  ['http://[::1]:8001', 8001, '/'],
  ['http://localhost:80/', 80, '/'],
  [' http://localhost:8042 ', 8042, '/'],
])('%s is port %i', (url, port, path) => {
  expect(settingsPageFrom(url)).toEqual({ port, path });
});

test.each([
  '',
  'localhost:8042',
  'http://localhost',
  'https://localhost:8042',
  'http://localhost:0',
  'http://x:99999',
  'javascript:alert(1)',
  '8042',
])('"%s" leads nowhere', (url) => {
  expect(settingsPageFrom(url)).toBeNull();
});
