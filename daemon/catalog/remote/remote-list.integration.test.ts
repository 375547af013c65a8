/** How a catalog service is listed, over real HTTP: one that does as it should, and one that does not. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ShuttingDown } from '../../shared/shutting-down.ts';
import { catalogSample } from '../../testing/models/catalog-contract.ts';
import { CATALOG_TOKEN, type FakeCatalog, startFakeCatalog } from '../../testing/models/fake-catalog.ts';
import { type RemoteClientOptions, remoteClient, remoteTroubleOf } from '../../testing/models/remote-client.ts';

let service: FakeCatalog;
beforeEach(async () => {
  service = await startFakeCatalog({ items: catalogSample });
});
afterEach(() => service[Symbol.asyncDispose]());

const never = new AbortController().signal;
const list = (etag: string | null = null, options: RemoteClientOptions & { base?: string } = {}) =>
  remoteClient(options.base ?? service.base, options).list(etag, never);
const asked = () => service.requests.map(({ method, path }) => `${method} ${path}`);

test('a list is read whole, and told unchanged to who has it already', async () => {
  const first = await list();
  expect(first).toEqual({ items: catalogSample, etag: expect.any(String), skipped: { items: 0, recipes: 0 } });
  expect(await list(first?.etag)).toBeNull();
  service.items = catalogSample.slice(1);
  expect((await list(first?.etag))?.items).toEqual(catalogSample.slice(1));
  expect(service.requests.map(({ ifNoneMatch }) => ifNoneMatch)).toEqual([null, first?.etag, first?.etag]);
});

test('a list is asked for with the token, and without where there is none', async () => {
  await list();
  await list(null, { token: null });
  expect(service.requests.map(({ authorization }) => authorization)).toEqual([`Bearer ${CATALOG_TOKEN}`, null]);
});

test('a list leaves out what cannot be used and keeps the rest', async () => {
  const [first, second, ...others] = catalogSample;
  const newer = { ...first, task: 'dreaming', recipes: [...(first?.recipes ?? []), { engineType: 'warp' }], stars: 5 };
  service.items = [newer, { ...second, recipes: [{ accelerator: 'tpu' }] }, 'odd', ...others];
  const { items, skipped } = (await list()) ?? {};
  const known = [{ ...first, task: 'dreaming' }, ...others];
  expect(new Map(items?.map((item) => [item.repoId, item]))).toEqual(new Map(known.map((item) => [item.repoId, item])));
  expect(skipped).toEqual({ items: 2, recipes: 2 });
});

test('a list of which nothing can be used is none', async () => {
  service.items = ['odd', { models: 5 }];
  expect((await remoteTroubleOf(list())).message).toBe(
    'Of the 2 models that the catalog service lists, none can be used.',
  );
});

test.each([
  ['a page of HTML', { garbage: true }],
  ['another object', { answer: { status: 200, body: { models: [] } } }],
  ['a bare list', { answer: { status: 200, body: catalogSample } }],
  ['a text', { answer: { status: 200, body: 'items' } }],
  ['the items as a text', { answer: { status: 200, body: { items: '[]' } } }],
])('a list that is %s is not understood, and not asked for again', async (_, how) => {
  service.misbehave(how);
  const { kind, message } = await remoteTroubleOf(list());
  expect([kind, message]).toEqual(['not-understood', 'The catalog service answers with what is no list of models.']);
  expect(asked()).toHaveLength(1);
});

test.each([
  ['a redirect', { redirectTo: 'http://127.0.0.1:1/api/v1/catalog/list' }, 'not-understood', 'leads elsewhere'],
  ['401', { answer: { status: 401, body: { error: 'Who?' } } }, 'auth', 'does not accept the token'],
  ['403', { answer: { status: 403, body: { error: 'No.' } } }, 'auth', '"No."'],
  ['404', { answer: { status: 404, body: {} } }, 'not-understood', 'no catalog at this address (status 404)'],
  ['400', { answer: { status: 400, body: { error: 'Bad', details: [] } } }, 'not-understood', '(status 400)'],
  ['418', { answer: { status: 418, body: { message: 'Tea' } } }, 'not-understood', '"Tea"'],
] as const)('a list refused with %s is not asked for again', async (_, how, kind, words) => {
  service.misbehave(how);
  const trouble = await remoteTroubleOf(list());
  expect([trouble.kind, trouble.message]).toEqual([kind, expect.stringContaining(words)]);
  expect(asked()).toHaveLength(1);
});

test.each([
  ['429', { status: 429, retryAfterS: 0 }, 'busy', 'too often'],
  ['500', { status: 500 }, 'out-of-order', 'status 500'],
  ['503', { status: 503, retryAfterS: 0 }, 'out-of-order', 'The hub is out of order'],
  ['a broken connection', { dropsAnswer: true }, 'broken-off', 'broke'],
  ['a connection that breaks in the middle', { stopAfterBytes: 300 }, 'broken-off', 'broke'],
  ['silence', { hang: true }, 'broken-off', 'Nothing came'],
  ['silence in the middle', { hangAfterBytes: 300 }, 'broken-off', 'Nothing came'],
] as const)('a list that fails with %s is asked for twice more', async (_, how, kind, words) => {
  service.misbehave(how);
  const trouble = await remoteTroubleOf(list());
  expect([trouble.kind, trouble.message]).toEqual([kind, expect.stringContaining(words)]);
  expect(asked()).toHaveLength(3);
  service.misbehave({ ...how, times: 2 });
  expect((await list())?.items).toEqual(catalogSample);
  expect(asked()).toHaveLength(6);
});

test('a list waits as long as the service wants, and not longer than we want', async () => {
  service.misbehave({ status: 429, retryAfterS: 1, times: 1 });
  const began = performance.now();
  await list();
  expect(performance.now() - began).toBeGreaterThan(900);
  service.misbehave({ status: 429, retryAfterS: 3_600 });
  expect((await remoteTroubleOf(list())).kind).toBe('busy');
  expect(asked()).toHaveLength(3);
});

test('a list that drips without end is ended', async () => {
  service.misbehave({ bytesPerSecond: 100 });
  const trouble = await remoteTroubleOf(list(null, { patience: { listMs: 1_000 } }));
  expect([trouble.kind, trouble.message]).toEqual(['broken-off', expect.stringContaining('takes too long')]);
});

test('a list without end is ended', async () => {
  const server = createServer((_, response) => {
    response.write('{"items":[');
    const more = Buffer.from(`${JSON.stringify({ text: 'x'.repeat(60_000) })},`.repeat(16));
    const pour = () => {
      while (!response.destroyed && response.write(more));
    };
    response.on('drain', pour);
    pour();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1`;
    const trouble = await remoteTroubleOf(list(null, { base, patience: { listMs: 60_000, silenceMs: 10_000 } }));
    expect([trouble.kind, trouble.message]).toEqual(['not-understood', expect.stringContaining('more than it should')]);
  } finally {
    server.closeAllConnections();
    server.close();
  }
});

test('a list of nobody is unreachable', async () => {
  await service[Symbol.asyncDispose]();
  const trouble = await remoteTroubleOf(list());
  expect([trouble.kind, trouble.message]).toEqual(['unreachable', expect.stringContaining('ECONNREFUSED')]);
  service = await startFakeCatalog();
});

test('a list ends at once when the daemon does', async () => {
  const closing = new AbortController();
  service.misbehave({ hang: true });
  const listing = remoteClient(service.base, { patience: { silenceMs: 60_000, listMs: 60_000 } }).list(
    null,
    closing.signal,
  );
  setTimeout(() => closing.abort(new ShuttingDown()), 100);
  await expect(listing).rejects.toThrow(ShuttingDown);
  expect(asked()).toHaveLength(1);
});
