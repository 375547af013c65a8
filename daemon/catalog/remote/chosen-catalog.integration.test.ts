/** The choice of the catalog, over real HTTP and on a real disk: chosen, stored, shown offline, deleted. */
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { CatalogSourceStatus } from '../../contract/catalog/models.ts';
import type { DaemonEvent } from '../../contract/events.ts';
import { keyFileSecretStore } from '../../shared/files/key-file-secret-store.ts';
import { InvalidBody } from '../../shared/invalid-input.ts';
import { createLogger } from '../../shared/logger.ts';
import { catalogSample } from '../../testing/models/catalog-contract.ts';
import { CATALOG_TOKEN, type FakeCatalog, startFakeCatalog } from '../../testing/models/fake-catalog.ts';
import { type MovableClock, movableClock } from '../../testing/movable-clock.ts';
import { buildCatalog } from '../catalog.ts';
import { CatalogUnavailable } from '../errors.ts';
import { ChosenCatalog, type ChosenCatalogDeps } from './chosen-catalog.ts';
import { RemoteCatalogFailed } from './errors.ts';

const MINUTE_MS = 60_000;
const noon = new Date('2026-05-06T12:00:00.000Z');
const later = (minutes: number) => new Date(noon.getTime() + minutes * MINUTE_MS);

let folder: string;
/** Of the service and of the daemons, but for their time of day. */
let clock: MovableClock;
let service: FakeCatalog;
let now: Date;
let logged: string[];
let events: DaemonEvent[];
const open: ChosenCatalog[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'robot-desktop-catalog-'));
  clock = movableClock();
  service = await startFakeCatalog({ items: catalogSample, clock });
  now = noon;
  logged = [];
  events = [];
});
afterEach(async () => {
  await Promise.all(open.splice(0).map((catalog) => catalog.close()));
  await service[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

const log = createLogger('debug', (line) => void logged.push(line));
const shipped = () =>
  buildCatalog(
    catalogSample.slice(0, 1).map((item) => ({ item, facts: { weightBytes: {} } })),
    log,
  );
const shippedStatus: CatalogSourceStatus = {
  ...{ kind: 'embedded', url: null, hasToken: false, fetchedAt: null, problem: null },
  total: 1,
};

/** The catalog of a daemon that starts on the same files. */
async function start(more: Partial<ChosenCatalogDeps> = {}): Promise<ChosenCatalog> {
  const catalog = new ChosenCatalog({
    shipped,
    choiceFile: join(folder, 'choice.json'),
    copyFile: join(folder, 'copy.jsonl'),
    secrets: keyFileSecretStore(join(folder, 'key')),
    isOwn: ({ port }) => port === '8000',
    publish: (event) => void events.push(event),
    clock: { ...clock, now: () => now },
    log,
    deadlines: { silenceMs: 10_000, listMs: 60_000, deployMs: 10_000, retryMs: 10 },
    ...more,
  });
  open.push(catalog);
  await catalog.open();
  return catalog;
}
const use = (catalog: ChosenCatalog, token?: string) =>
  catalog.use({ url: service.base, token, dialect: 'specification' });
const named = async (catalog: ChosenCatalog) => (await catalog.load()).entries.map(({ item }) => item.repoId);
const all = catalogSample.map(({ repoId }) => repoId);
const textsOnDisk = async () =>
  (await Promise.all((await readdir(folder)).map((file) => readFile(join(folder, file), 'utf8')))).join('\n');

test('the shipped catalog is used until another is chosen, and again afterwards', async () => {
  const catalog = await start();
  expect(await named(catalog)).toEqual(all.slice(0, 1));
  expect([catalog.status, catalog.client]).toEqual([shippedStatus, null]);

  const remote = await use(catalog, CATALOG_TOKEN);
  expect(remote).toEqual({
    ...{ kind: 'remote', url: service.base, hasToken: true, problem: null, total: 4 },
    fetchedAt: noon.toISOString(),
  });
  expect(await named(catalog)).toEqual(all);
  expect(events.at(-1)).toEqual({ type: 'catalog-source.changed', catalogSource: remote });

  expect(await catalog.useShipped()).toEqual(shippedStatus);
  expect(await named(catalog)).toEqual(all.slice(0, 1));
  expect(events.at(-1)).toEqual({ type: 'catalog-source.changed', catalogSource: shippedStatus });
  expect(await readdir(folder)).toEqual(['key']);
});

test('the choice survives a restart; its copy is shown offline with its age, and it can deploy again later', async () => {
  await use(await start(), CATALOG_TOKEN);
  const port = Number(new URL(service.base).port);
  await service[Symbol.asyncDispose]();
  now = later(60);

  const offline = await start();
  expect(await named(offline)).toEqual(all);
  await vi.waitFor(() => expect(offline.status.problem).toContain('cannot be reached (ECONNREFUSED)'));
  expect(offline.status).toMatchObject({ url: service.base, hasToken: true, fetchedAt: noon.toISOString(), total: 4 });
  expect(await named(offline)).toEqual(all);

  service = await startFakeCatalog({ items: catalogSample.slice(1), port });
  expect(await offline.refresh()).toMatchObject({ problem: null, fetchedAt: later(60).toISOString(), total: 3 });
  await offline.client?.deploy(['recipe', 'poet-vllm-gpu'], { namespace: 'ada' }, 'poet-x1');
  expect([...service.endpoints.keys()]).toEqual(['poet-x1']);
});

test('an old copy is shown at once and refreshed in the background, cheaply when nothing changed', async () => {
  const catalog = await start();
  await use(catalog);
  now = later(9);
  await named(catalog);
  expect(service.requests).toHaveLength(1);

  service.misbehave({ delayMs: 1_000, times: 1 });
  now = later(11);
  expect(await named(catalog)).toEqual(all);
  await vi.waitFor(() => expect(service.requests).toHaveLength(2));
  expect(catalog.status.fetchedAt).toBe(noon.toISOString());
  await clock.pass(1_000);
  await vi.waitFor(() => expect(catalog.status.fetchedAt).toBe(now.toISOString()));
  expect(service.requests.map(({ ifNoneMatch }) => ifNoneMatch)).toEqual([null, expect.any(String)]);

  service.items = catalogSample.slice(0, 2);
  now = later(30);
  expect(await named(catalog)).toEqual(all);
  await vi.waitFor(async () => expect(await named(catalog)).toEqual(all.slice(0, 2)));
  expect(service.requests).toHaveLength(3);
  await vi.waitFor(async () => expect(await readFile(join(folder, 'copy.jsonl'), 'utf8')).not.toContain('bob/old'));
  expect(await named(await start())).toEqual(all.slice(0, 2));
  expect(service.requests).toHaveLength(3);
});

test('after a failure the service is not requested for a while, except by a manual refresh', async () => {
  const catalog = await start();
  await use(catalog);
  service.misbehave({ answer: { status: 401, body: { error: 'Who?' } } });
  now = later(20);
  await named(catalog);
  await vi.waitFor(() => expect(catalog.status.problem).toContain('Who?'));
  await named(catalog);
  expect(service.requests).toHaveLength(2);
  await catalog.refresh();
  expect(service.requests).toHaveLength(3);
  now = later(22);
  await named(catalog);
  await vi.waitFor(() => expect(service.requests).toHaveLength(4));
});

test('concurrent loads make one request', async () => {
  const catalog = await start();
  await use(catalog);
  service.misbehave({ delayMs: 1_000 });
  await clock.during(Promise.all([catalog.refresh(), catalog.refresh(), catalog.load(), catalog.refresh()]));
  expect(service.requests).toHaveLength(2);
});

test('without a copy and without an answer, the first load fails after its deadline', async () => {
  await use(await start());
  await rm(join(folder, 'copy.jsonl'));
  service.misbehave({ hang: true });
  const catalog = await start({ deadlines: { silenceMs: MINUTE_MS, listMs: MINUTE_MS } });
  await expect(clock.during(catalog.load(), 100)).rejects.toThrow(CatalogUnavailable);
  await expect(catalog.load()).rejects.toThrow('has not answered yet');
  await catalog.close();

  service.misbehave({ status: 500 });
  const other = await start();
  await expect(other.load()).rejects.toThrow('The catalog service has an internal error (status 500).');
});

test('a damaged copy is ignored', async () => {
  await use(await start());
  await writeFile(join(folder, 'copy.jsonl'), '{"half');
  expect(await named(await start())).toEqual(all);
  expect(service.requests.map(({ ifNoneMatch }) => ifNoneMatch)).toEqual([null, null]);
});

test('a damaged choice is ignored and set aside', async () => {
  await use(await start());
  await writeFile(join(folder, 'choice.json'), '{"base":"http://elsewhere.example/api/v1","dialect":"hub"}');
  expect((await start()).status).toMatchObject({ kind: 'embedded', url: null });
  expect(await readdir(folder)).toContainEqual(expect.stringMatching(/^choice\.json\.damaged-/));
});

test('a service is chosen only after it has answered with its list', async () => {
  const catalog = await start();
  await use(catalog, CATALOG_TOKEN);
  const before = [catalog.status, await textsOnDisk()];
  await using other = await startFakeCatalog({ items: catalogSample });
  for (const how of [
    { garbage: true },
    { status: 500 },
    { dropsAnswer: true },
    { redirectTo: service.base },
  ] as const) {
    other.misbehave(how);
    const choosing = catalog.use({ url: other.base, token: 'another', dialect: 'hub' });
    await expect(choosing).rejects.toThrow(RemoteCatalogFailed);
    expect([catalog.status, await textsOnDisk()]).toEqual(before);
  }
});

test.each([
  [{ url: 'http://catalog.example/api/v1' }, 'url', 'not encrypted'],
  [{ url: 'http://127.0.0.1:8000/api/v1' }, 'url', "daemon's own"],
  [{ token: 'two words' }, 'token', 'an invalid character'],
  [{ token: ' ' }, 'token', 'an invalid character'],
])('%j is refused before any request', async (given, member, words) => {
  const catalog = await start();
  const refused = await catalog.use({ url: service.base, dialect: 'hub', ...given }).catch((error: unknown) => error);
  if (!(refused instanceof InvalidBody)) throw refused;
  expect(refused.issues).toEqual([{ path: [member], message: expect.stringContaining(words) }]);
  expect(service.requests).toEqual([]);
});

test('a token that the service does not accept is refused as a wrong token', async () => {
  service.misbehave({ answer: { status: 401, body: { error: `No: ${CATALOG_TOKEN}` } } });
  const refused = await use(await start(), CATALOG_TOKEN).catch((error: unknown) => error);
  if (!(refused instanceof InvalidBody)) throw refused;
  expect(refused.issues).toEqual([
    { path: ['token'], message: expect.stringContaining('does not accept the saved token') },
  ]);
  expect(JSON.stringify(refused.issues)).not.toContain(CATALOG_TOKEN);
});

test('a token is sent only to its service and is readable nowhere', async () => {
  const catalog = await start();
  await use(catalog, CATALOG_TOKEN);
  expect(await use(catalog)).toMatchObject({ hasToken: true });
  expect(service.requests.map(({ authorization }) => authorization)).toEqual(Array(2).fill(`Bearer ${CATALOG_TOKEN}`));

  await using other = await startFakeCatalog({ items: catalogSample });
  expect(await catalog.use({ url: other.base, dialect: 'hub' })).toMatchObject({ hasToken: false });
  await catalog.refresh();
  expect(other.requests.map(({ authorization }) => authorization)).toEqual([null, null]);
  expect(await use(catalog)).toMatchObject({ hasToken: false });
  expect(service.requests.at(-1)?.authorization).toBeNull();
  expect(await textsOnDisk()).not.toContain(CATALOG_TOKEN);
  expect(JSON.stringify([events, logged])).not.toContain(CATALOG_TOKEN);
});

test('an unreadable token must be entered again; the copy is shown meanwhile', async () => {
  await use(await start(), CATALOG_TOKEN);
  await rm(join(folder, 'key'));
  const catalog = await start();
  now = later(20);
  expect(await named(catalog)).toEqual(all);
  expect((await catalog.refresh()).problem).toContain('Enter it again');
  const deploy = catalog.client?.deploy(['recipe', 'poet-vllm-gpu'], { namespace: 'ada' }, 'poet-x1');
  await expect(deploy).rejects.toMatchObject({ kind: 'auth', message: expect.stringContaining('Enter it again') });
  expect(await use(catalog, CATALOG_TOKEN)).toMatchObject({ problem: null, hasToken: true });
});

test('of several choices the last one counts', async () => {
  await using slow = await startFakeCatalog({ items: catalogSample.slice(2) });
  slow.misbehave({ hang: true });
  const catalog = await start({ deadlines: { silenceMs: MINUTE_MS, listMs: MINUTE_MS } });
  const first = catalog.use({ url: slow.base, dialect: 'hub' });
  const second = use(catalog);
  await expect(first).rejects.toThrow('Another catalog was chosen meanwhile.');
  expect(await second).toMatchObject({ url: service.base });
  const third = catalog.use({ url: slow.base, dialect: 'hub' });
  const last = catalog.useShipped();
  await expect(third).rejects.toThrow('Another catalog was chosen meanwhile.');
  expect(await last).toEqual(shippedStatus);
  expect((await start()).status.kind).toBe('embedded');
});

test('a list that arrives after another catalog was chosen changes nothing', async () => {
  const other = await startFakeCatalog({ items: catalogSample.slice(2) });
  const catalog = await start();
  await use(catalog);
  service.items = [];
  service.misbehave({ delayMs: 300 });
  const refreshing = catalog.refresh();
  await catalog.use({ url: other.base, dialect: 'specification' });
  await refreshing;
  expect(await named(catalog)).toEqual(all.slice(2));
  await other[Symbol.asyncDispose]();
  expect(await named(await start())).toEqual(all.slice(2)); // from the copy
});

test('stopping the daemon aborts a request in progress', async () => {
  const catalog = await start({ deadlines: { silenceMs: MINUTE_MS, listMs: MINUTE_MS } });
  await use(catalog);
  service.misbehave({ hang: true });
  const refreshing = catalog.refresh();
  await vi.waitFor(() => expect(service.requests).toHaveLength(2));
  await catalog.close();
  expect(await refreshing).toMatchObject({ problem: null, fetchedAt: noon.toISOString() });
});
