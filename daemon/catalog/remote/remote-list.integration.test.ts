/** Lists from a catalog service, over real HTTP, with a correct and a misbehaving service. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ShuttingDown } from '../../shared/domain-error.ts';
import { catalogSample } from '../../testing/models/catalog-contract.ts';
import { CATALOG_TOKEN, type FakeCatalog, startFakeCatalog } from '../../testing/models/fake-catalog.ts';
import { type RemoteClientOptions, remoteClient, remoteFailureOf } from '../../testing/models/remote-client.ts';
import { type MovableClock, movableClock } from '../../testing/movable-clock.ts';

/** Of the service and of clients that a test moves. */
let clock: MovableClock;
let service: FakeCatalog;
beforeEach(async () => {
  clock = movableClock();
  service = await startFakeCatalog({ items: catalogSample, clock });
});
afterEach(() => service[Symbol.asyncDispose]());

const never = new AbortController().signal;
const list = (etag: string | null = null, options: RemoteClientOptions & { base?: string } = {}) =>
  remoteClient(options.base ?? service.base, options).list(etag, never);
const requests = () => service.requests.map(({ method, path }) => `${method} ${path}`);

test('a list is read completely, and reported as unchanged for a known etag', async () => {
  const first = await list();
  expect(first).toEqual({ items: catalogSample, etag: expect.any(String), skipped: { items: 0, recipes: 0 } });
  expect(await list(first?.etag)).toBeNull();
  service.items = catalogSample.slice(1);
  expect((await list(first?.etag))?.items).toEqual(catalogSample.slice(1));
  expect(service.requests.map(({ ifNoneMatch }) => ifNoneMatch)).toEqual([null, first?.etag, first?.etag]);
});

test('a list is requested with the token, if there is one', async () => {
  await list();
  await list(null, { token: null });
  expect(service.requests.map(({ authorization }) => authorization)).toEqual([`Bearer ${CATALOG_TOKEN}`, null]);
});

test('a list omits unusable items and keeps the others', async () => {
  const [first, second, ...others] = catalogSample;
  const newer = { ...first, task: 'dreaming', recipes: [...(first?.recipes ?? []), { engineType: 'warp' }], stars: 5 };
  service.items = [newer, { ...second, recipes: [{ accelerator: 'tpu' }] }, 'odd', ...others];
  const { items, skipped } = (await list()) ?? {};
  const known = [{ ...first, task: 'dreaming' }, ...others];
  expect(new Map(items?.map((item) => [item.repoId, item]))).toEqual(new Map(known.map((item) => [item.repoId, item])));
  expect(skipped).toEqual({ items: 2, recipes: 2 });
});

test('a list without a usable item is refused', async () => {
  service.items = ['odd', { models: 5 }];
  expect((await remoteFailureOf(list())).message).toBe("None of the catalog service's 2 models can be used.");
});

test.each([
  ['a page of HTML', { garbage: true }],
  ['another object', { answer: { status: 200, body: { models: [] } } }],
  ['a bare list', { answer: { status: 200, body: catalogSample } }],
  ['a text', { answer: { status: 200, body: 'items' } }],
  ['the items as a text', { answer: { status: 200, body: { items: '[]' } } }],
])('a list that is %s is an invalid answer and not requested again', async (_, how) => {
  service.misbehave(how);
  const { kind, message } = await remoteFailureOf(list());
  expect([kind, message]).toEqual(['invalid-answer', 'The answer of the catalog service is not a list of models.']);
  expect(requests()).toHaveLength(1);
});

test.each([
  [
    'a redirect',
    { redirectTo: 'http://127.0.0.1:1/api/v1/catalog/list' },
    'invalid-answer',
    'redirects to another address',
  ],
  ['401', { answer: { status: 401, body: { error: 'Who?' } } }, 'auth', 'does not accept the saved token'],
  ['403', { answer: { status: 403, body: { error: 'No.' } } }, 'auth', '"No."'],
  ['404', { answer: { status: 404, body: {} } }, 'invalid-answer', 'no catalog at this address (status 404)'],
  ['400', { answer: { status: 400, body: { error: 'Bad', details: [] } } }, 'invalid-answer', '(status 400)'],
  ['418', { answer: { status: 418, body: { message: 'Tea' } } }, 'invalid-answer', '"Tea"'],
] as const)('a list refused with %s is not requested again', async (_, how, kind, words) => {
  service.misbehave(how);
  const failure = await remoteFailureOf(list());
  expect([failure.kind, failure.message]).toEqual([kind, expect.stringContaining(words)]);
  expect(requests()).toHaveLength(1);
});

test.each([
  ['429', { status: 429, retryAfterS: 0 }, 'busy', 'too many requests'],
  ['500', { status: 500 }, 'server-error', 'status 500'],
  ['503', { status: 503, retryAfterS: 0 }, 'server-error', 'The hub is out of order'],
  ['a broken connection', { dropsAnswer: true }, 'interrupted', 'broke'],
  ['a connection that breaks in the middle', { stopAfterBytes: 300 }, 'interrupted', 'broke'],
  ['silence', { hang: true }, 'interrupted', 'sent nothing'],
  ['silence in the middle', { hangAfterBytes: 300 }, 'interrupted', 'sent nothing'],
] as const)('a list that fails with %s is requested twice more', async (_, how, kind, words) => {
  const listing = () => clock.during(list(null, { clock, deadlines: { silenceMs: 10_000, listMs: 60_000 } }), 100);
  service.misbehave(how);
  const failure = await remoteFailureOf(listing());
  expect([failure.kind, failure.message]).toEqual([kind, expect.stringContaining(words)]);
  expect(requests()).toHaveLength(3);
  service.misbehave({ ...how, times: 2 });
  expect((await listing())?.items).toEqual(catalogSample);
  expect(requests()).toHaveLength(6);
});

test('a retry waits as long as the service asks, up to a limit', async () => {
  service.misbehave({ status: 429, retryAfterS: 1, times: 1 });
  const began = clock.elapsedMs();
  await clock.during(list(null, { clock, deadlines: { silenceMs: 60_000, listMs: 60_000 } }));
  expect(clock.elapsedMs() - began).toBeGreaterThan(900);
  service.misbehave({ status: 429, retryAfterS: 3_600 });
  expect((await remoteFailureOf(list())).kind).toBe('busy');
  expect(requests()).toHaveLength(3);
});

test('an endless slow list is aborted', async () => {
  service.misbehave({ bytesPerSecond: 100 });
  const failure = await remoteFailureOf(clock.during(list(null, { clock })));
  expect([failure.kind, failure.message]).toEqual([
    'interrupted',
    expect.stringContaining('did not finish its answer'),
  ]);
});

test('an endless list is aborted', async () => {
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
    const failure = await remoteFailureOf(list(null, { base, deadlines: { listMs: 60_000, silenceMs: 10_000 } }));
    expect([failure.kind, failure.message]).toEqual(['invalid-answer', expect.stringContaining('too large')]);
  } finally {
    server.closeAllConnections();
    server.close();
  }
});

test('a service that does not listen is unreachable', async () => {
  await service[Symbol.asyncDispose]();
  const failure = await remoteFailureOf(list());
  expect([failure.kind, failure.message]).toEqual(['unreachable', expect.stringContaining('ECONNREFUSED')]);
  service = await startFakeCatalog();
});

test('a list is aborted at once when the daemon stops', async () => {
  const closing = new AbortController();
  service.misbehave({ hang: true });
  const listing = remoteClient(service.base, { deadlines: { silenceMs: 60_000, listMs: 60_000 } }).list(
    null,
    closing.signal,
  );
  await vi.waitFor(() => expect(requests()).toHaveLength(1));
  closing.abort(new ShuttingDown());
  await expect(listing).rejects.toThrow(ShuttingDown);
  expect(requests()).toHaveLength(1);
});
