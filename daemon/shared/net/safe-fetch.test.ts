import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { AddressRefused, safeFetch } from './safe-fetch.ts';

const closing: (() => Promise<unknown>)[] = [];
afterEach(() => Promise.all(closing.splice(0).map((close) => close())));

/** Starts a server. @returns its origin and the requests it received */
async function serve(answer: (request: IncomingMessage, response: ServerResponse) => void) {
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    requests.push(request);
    answer(request, response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  closing.push(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return { origin: `http://127.0.0.1:${(server.address() as { port: number }).port}`, requests };
}
const to =
  (location: string, status = 302) =>
  (_: unknown, response: ServerResponse) =>
    void response.writeHead(status, { location }).end('go there');

test('a redirect within one origin is followed with its headers, and the response has the last address', async () => {
  const { origin, requests } = await serve((request, response) => {
    if (request.url === '/a') to('/b?c=d', 307)(request, response);
    else response.end(request.headers.authorization);
  });
  const response = await safeFetch({ hubOrigin: origin })(`${origin}/a`, { headers: { authorization: 'Bearer x' } });
  expect([response.url, await response.text()]).toEqual([`${origin}/b?c=d`, 'Bearer x']);
  expect(requests.map(({ url }) => url)).toEqual(['/a', '/b?c=d']);
});

test('a redirect to another service of this machine is not followed', async () => {
  const other = await serve((_, response) => response.end('secret'));
  const { origin } = await serve(to(`${other.origin}/api`));
  const asked = safeFetch({ hubOrigin: '' })(`${origin}/a`);
  await expect(asked).rejects.toThrow(AddressRefused);
  await expect(asked).rejects.toThrow('this machine');
  expect(other.requests).toEqual([]);
});

test.each([
  ['http://example.com/', 'not encrypted'],
  ['file:///etc/passwd', 'https://'],
  ['https://me:secret@example.com/', 'password'],
  ['http://2130706433/', 'this machine'],
  ['http://', 'invalid address'],
])('a redirect to %s is refused', async (location, why) => {
  const { origin } = await serve(to(location));
  const asked = safeFetch({ hubOrigin: '' })(origin);
  await expect(asked).rejects.toThrow(AddressRefused);
  await expect(asked).rejects.toThrow(why);
  await expect(asked).rejects.not.toThrow('secret');
});

test('the fifth redirect is followed, the sixth is not', async () => {
  const { origin, requests } = await serve((request, response) => {
    const left = Number(request.url?.slice(1));
    if (left === 0) response.end('there');
    else to(`/${left - 1}`)(request, response);
  });
  const fetch = safeFetch({ hubOrigin: origin });
  expect(await (await fetch(`${origin}/5`)).text()).toBe('there');
  await expect(fetch(`${origin}/6`)).rejects.toThrow('more than 5 times');
  expect(requests).toHaveLength(12);
});

test('a refused address is not requested', async () => {
  await expect(safeFetch({ hubOrigin: '' })('http://example.com/')).rejects.toThrow(AddressRefused);
  await expect(safeFetch({ hubOrigin: '' })('data:text/plain,hello')).rejects.toThrow(AddressRefused);
});

test('a 3xx status without a location is a normal response', async () => {
  const { origin } = await serve((_, response) => void response.writeHead(304).end());
  expect((await safeFetch({ hubOrigin: origin })(origin)).status).toBe(304);
});

test('a secret is sent to its own origin only', async () => {
  const sent: [string, string | null][] = [];
  const answers = [to301('https://cdn.example/y'), to301('https://a.example/z'), new Response('there')];
  vi.stubGlobal('fetch', async (url: string, init: { headers: Headers }) => {
    sent.push([url, init.headers.get('authorization')]);
    return answers.shift();
  });
  onTestFinished(() => void vi.unstubAllGlobals());
  await safeFetch({ hubOrigin: '' })('https://a.example/x', { headers: { authorization: 'Bearer x' } });
  expect(sent).toEqual([
    ['https://a.example/x', 'Bearer x'],
    ['https://cdn.example/y', null],
    ['https://a.example/z', null],
  ]);
});
const to301 = (location: string) => new Response(null, { status: 301, headers: { location } });
