import { expect, test } from 'vitest';
import { isPageOf } from './addresses.ts';

const ORIGIN = 'http://127.0.0.1:8000';

test.each([
  'http://127.0.0.1:8000',
  'http://127.0.0.1:8000/#/robot',
  'http://127.0.0.1:8000/a/../b?c=http://evil.test/',
  'HTTP://127.0.0.1:8000/',
  '  http://127.0.0.1:8000/\n',
  'http:\\\\127.0.0.1:8000\\',
  // Other spellings of the same address, for Chromium too.
  'http://127.0.0.1.:8000/',
  'http://127.1:8000/',
  'http://2130706433:8000/',
  'http://0x7f000001:08000/',
  'http://@127.0.0.1:8000/',
])('%j is a page of the origin', (url) => {
  expect(isPageOf(ORIGIN, url)).toBe(true);
});

test.each([
  // Their origin is that of the address inside.
  'blob:http://127.0.0.1:8000/3f0e6d4e',
  'BLOB:http://127.0.0.1:8000/3f0e6d4e',
  'blob:blob:http://127.0.0.1:8000/3f0e6d4e',
  'filesystem:http://127.0.0.1:8000/temporary/page.html',
  'view-source:http://127.0.0.1:8000/',
  'about:blank',
  'about:srcdoc',
  'about:blank#http://127.0.0.1:8000/',
  'javascript:alert(1)',
  'java\nscript:alert(1)',
  'javascript://127.0.0.1:8000/%0aalert(1)',
  'data:text/html,<h1>Robot Desktop</h1>',
  'file:///etc/passwd',
  'file://127.0.0.1:8000/',
  'file:',
  'mailto:someone@127.0.0.1:8000',
  'intent://127.0.0.1:8000/#Intent;scheme=http;end',
  'ms-settings:',
  'vscode://file/etc/passwd',
  'smb://127.0.0.1:8000/share',
  'ws://127.0.0.1:8000/',
  'ftp://127.0.0.1:8000/',
  'chrome://gpu',
  'chrome-extension://127.0.0.1:8000/',
  'devtools://devtools/bundled/inspector.html',
  'http+unix://127.0.0.1:8000/',
  // Another scheme, port or host.
  'https://127.0.0.1:8000/',
  'http://127.0.0.1/',
  'http://127.0.0.1:80/',
  'http://127.0.0.1:8001/',
  'http://127.0.0.1:80000/',
  'http://127.0.0.2:8000/',
  'http://localhost:8000/',
  'http://localhost.:8000/',
  'http://[::1]:8000/',
  'http://[::ffff:127.0.0.1]:8000/',
  'http://0.0.0.0:8000/',
  'http://127.0.0.1.evil.test:8000/',
  'http://evil.test/127.0.0.1:8000/',
  'http://evil.test\\127.0.0.1:8000/',
  'http://evil.test#@127.0.0.1:8000/',
  'http://evil.test?@127.0.0.1:8000/',
  'http://127.0.0.1:8000@evil.test/',
  '//127.0.0.1:8000/',
  '/#/robot',
  // With a name or a password.
  'http://evil.test@127.0.0.1:8000/',
  'http://:evil.test@127.0.0.1:8000/',
  'http://www.python.org%2f@127.0.0.1:8000/',
  'null',
  'no address',
  '',
])('%j is no page of the origin', (url) => {
  expect(isPageOf(ORIGIN, url)).toBe(false);
});

test.each([
  ['http://localhost', 'http://localhost:80/', true],
  ['http://localhost', 'http://LOCALHOST/', true],
  ['http://localhost', 'https://localhost:80/', false],
  ['https://hub.example', 'https://hub.example:443/spaces', true],
  ['https://hub.example', 'https://hub.example./spaces', false],
  ['http://[::1]:8042', 'http://[0:0:0:0:0:0:0:1]:8042/', true],
  ['http://[::1]:8042', 'http://127.0.0.1:8042/', false],
  // No origin is a page's that has none.
  ['null', 'about:blank', false],
  ['null', 'data:text/html,x', false],
  ['', '', false],
])('of %s, %s is a page: %s', (origin, url, is) => {
  expect(isPageOf(origin, url)).toBe(is);
});
