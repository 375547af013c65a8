import { expect, test } from 'vitest';
import { isForBrowser, isOutsideLink } from './addresses.ts';

test.each([
  ['https://www.python.org/downloads/', true],
  ['HTTPS://WWW.PYTHON.ORG:443/downloads/', true],
  ['http://www.python.org/downloads/', false],
  ['https://www.python.org:8443/', false],
  ['https://www.python.org./', false],
  ['https://www.python.org.evil.test/', false],
  ['https://evil.test/?https://www.python.org/', false],
  ['https://someone@www.python.org/', false],
  ['https://:secret@www.python.org/', false],
  ['blob:https://www.python.org/1', false],
  ['view-source:https://www.python.org/', false],
  ['file:///etc/passwd', false],
  ['javascript:alert(1)', false],
  ['mailto:someone@www.python.org', false],
  ['', false],
])('a link of the dashboard to %s leads outside: %s', (url, may) => {
  expect(isOutsideLink(url)).toBe(may);
});

test.each([
  ['https://hub.example/spaces/ann/dance', true],
  ['http://127.0.0.1:8000/sign-in?code=once', true],
  ['http://[::1]:8000/', true],
  ['http://hub.example/spaces/ann/dance', false],
  ['http://127.0.0.1.evil.test/', false],
  ['https://ann@hub.example/', false],
  ['https://:secret@hub.example/', false],
  ['blob:https://hub.example/1', false],
  ['file:///usr/bin/xcalc', false],
  ['file://share/setup.exe', false],
  ['\\\\share\\setup.exe', false],
  ['smb://share/file', false],
  ['mailto:someone@evil.test?attach=/etc/passwd', false],
  ['javascript:alert(1)', false],
  ['data:text/html,x', false],
  ['ms-msdt:/id', false],
  ['vscode://file/etc/passwd', false],
  ['intent://x#Intent;end', false],
  ['/etc/passwd', false],
  ['', false],
])('the system may get %s: %s', (url, may) => {
  expect(isForBrowser(url)).toBe(may);
});
