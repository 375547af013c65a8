import { describe, expect, test } from 'vitest';
import { foreignReason } from './origin-guard.ts';

const hosts = new Set(['127.0.0.1:8000', 'localhost:8000']);
const refused = (headers: Record<string, string>, method = 'POST', path = '/api/apps/stop-current-app') =>
  foreignReason({ method, path, headers: { host: '127.0.0.1:8000', ...headers } }, hosts) !== null;

const link = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };

describe('let in', () => {
  test.each<[string, Record<string, string>]>([
    ['a program, which sends neither Origin nor Sec-Fetch-Site', {}],
    ['our own page', { origin: 'http://localhost:8000', host: 'localhost:8000', 'sec-fetch-site': 'same-origin' }],
    ['an address typed by a person', { 'sec-fetch-site': 'none' }],
  ])('%s', (_name, headers) => expect(refused(headers)).toBe(false));

  test.each(['/', '/sign-in'])('a link on another site to a page of ours: %s', (path) => {
    expect(refused(link, 'GET', path)).toBe(false);
  });
});

describe('refused', () => {
  test.each<[string, Record<string, string>, string?, string?]>([
    ['a name pointed at this machine (DNS rebinding)', { host: 'evil.example:8000' }],
    ['another port of this machine as host', { host: '127.0.0.1:9000' }],
    ['fetch of another origin', { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }],
    [
      'a page of another port, which is the same site',
      { origin: 'http://127.0.0.1:9000', 'sec-fetch-site': 'same-site' },
    ],
    ['a sandboxed frame', { origin: 'null' }],
    ['https under our name', { origin: 'https://127.0.0.1:8000' }],
    [
      'an image',
      { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' },
      'GET',
      '/api/apps/list',
    ],
    [
      'a frame',
      { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' },
      'GET',
      '/',
    ],
    ['a form', link],
    ['a link into the API', link, 'GET', '/api/events'],
    ['a link to endpoints', link, 'GET', '/v2/endpoint/local'],
    ['a link into the socket', link, 'GET', '/ws/sdk'],
  ])('%s', (_name, headers, method, path) => expect(refused(headers, method, path)).toBe(true));

  test.each([{ origin: 'https://robot.example' }, { host: 'robot.example' }])(
    'through a proxy that sends it on as it came, with what the proxy must change: %o',
    (sent) => {
      const reasonOf = (headers: Record<string, string>) =>
        foreignReason({ method: 'POST', path: '/', headers: { host: '127.0.0.1:8000', ...sent, ...headers } }, hosts);
      expect(reasonOf({ 'x-forwarded-for': '203.0.113.5' })).toMatch(
        / A proxy in front must replace Host, and the Origin/,
      );
      expect(reasonOf({})).not.toMatch(/proxy/);
    },
  );

  test('a request without a Host', () => {
    expect(foreignReason({ method: 'GET', path: '/', headers: {} }, hosts)).not.toBeNull();
  });
});
