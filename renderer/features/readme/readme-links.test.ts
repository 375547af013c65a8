import { expect, test } from 'vitest';
import { imageOf, installedPlace, linkOf, storePlace } from './readme-links.ts';

const url = 'https://hub.test/spaces/anna/dance';
const store = storePlace({ url, id: 'anna/dance', commit: 'b'.repeat(40) });
const folder = installedPlace('dance', { kind: 'folder', path: '/home/ann/dance' });

test.each<[string, string | null]>([
  ['https://example.org/a?b#c', 'https://example.org/a?b#c'],
  ['//example.org/a', 'https://example.org/a'],
  ['docs/setup.md', `${url}/blob/${'b'.repeat(40)}/docs/setup.md`],
  ['./docs/../a%20b.md#part', `${url}/blob/${'b'.repeat(40)}/a%20b.md`],
  ['/LICENSE', `${url}/blob/${'b'.repeat(40)}/LICENSE`],
  ['../../../etc/passwd', null],
  ['..%2f..%2fetc', null],
  ['#usage', null],
  ['?x=1', null],
  ['', null],
  ['javascript:alert(1)', null],
  [' JaVaScRiPt:alert(1)', null],
  ['data:text/html,<script>', null],
  ['file:///etc/passwd', null],
  ['vbscript:x', null],
  ['mailto:a@b.c', null],
  ['https://hub.test@evil.test/', null],
  ['https://[', null],
  ['http://127.0.0.1:8000/open-again', null],
  ['http://127.1/quit', null],
  ['http://[::1]:8000/', null],
  ['http://[::ffff:127.0.0.1]/', null],
  ['http://a.localhost./x', null],
  [`${window.location.origin}/quit`, null],
  ['\\\\server\\share', null],
  ['%E0%A4%A', null],
])('the link %j leads to %j', (href, expected) => {
  expect(linkOf(href, store)).toBe(expected);
});

test('a relative link of an app from a folder leads nowhere', () => {
  expect(linkOf('docs/setup.md', folder)).toBeNull();
  expect(linkOf('https://example.org/', folder)).toBe('https://example.org/');
});

test.each([
  ['docs/pic.png', { kind: 'own', path: 'docs/pic.png' }],
  [`${url}/resolve/main/docs/a%20b.png?download=true`, { kind: 'own', path: 'docs/a b.png' }],
  [
    `${url}/resolve/main/../../../x.png`,
    { kind: 'elsewhere', href: 'https://hub.test/spaces/anna/x.png', host: 'hub.test' },
  ],
  [
    'https://hub.test/spaces/ben/other/resolve/main/x.png',
    { kind: 'elsewhere', href: 'https://hub.test/spaces/ben/other/resolve/main/x.png', host: 'hub.test' },
  ],
  ['https://tracker.test/p.gif', { kind: 'elsewhere', href: 'https://tracker.test/p.gif', host: 'tracker.test' }],
  ['data:image/svg+xml,<svg/>', null],
  ['../secret.png', null],
])('the image %j', (src, expected) => {
  expect(imageOf(src, store)).toEqual(expected);
});
