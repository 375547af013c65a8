import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { DaemonEvent } from '../contract/events.ts';
import { createLogger } from '../shared/logger.ts';
import { endpointsIn, minimalRequest, partsNamed, somebody } from '../testing/models/some-endpoints.ts';
import { generateName } from './description/endpoint-name.ts';
import type { Endpoints, EndpointsDeps, NewEndpoint } from './endpoints.ts';
import type { EndpointRecord } from './records/endpoint-record.ts';
import type { EndpointEvent } from './states/endpoint-lifecycle.ts';

const other = { id: 'u2', name: 'another' };

async function emptyFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'endpoints-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

const inBase64 = (text: string) => Buffer.from(text).toString('base64url');

/** Endpoints with a clock that advances a second at each reading. */
async function begin(more: Partial<EndpointsDeps> = {}): Promise<{ endpoints: Endpoints; folder: string }> {
  const folder = await emptyFolder();
  let seconds = 0;
  const endpoints = endpointsIn(folder, { now: () => new Date(Date.UTC(2026, 10, 21, 11, 0, ++seconds)), ...more });
  return { endpoints, folder };
}

/** The decrypted secrets of the endpoint `a`. */
async function secretsIn(endpoints: Endpoints) {
  await endpoints.load();
  return endpoints.secretsOf(endpoints.record(mine('a')) as EndpointRecord);
}

const mine = (name: string) => ({ namespace: 'me', name });

const made = (name: string, more: Partial<NewEndpoint> = {}): NewEndpoint => ({
  ...{ namespace: 'me', parts: partsNamed(name), person: somebody, reasons: [], namePath: ['config', 'name'] },
  ...more,
});

test('an endpoint is returned as created, also after a restart', async () => {
  const { endpoints, folder } = await begin();
  const created = await endpoints.create(made('a', { reasons: ['It fits.', 'It is free.'] }));
  const at = '2026-11-21T11:00:01.000Z';
  expect(created).toEqual({
    ...partsNamed('a'),
    status: {
      ...{ state: 'pending', message: 'Waiting to start.', private: null },
      ...{ createdAt: at, createdBy: somebody, updatedAt: at, updatedBy: somebody, readyReplica: 0, targetReplica: 0 },
    },
  });
  expect(await endpoints.get('me', 'a')).toEqual(created);
  const again = endpointsIn(folder);
  expect(await again.get('me', 'a')).toEqual(created);
  expect(await again.listing({ page: 1, limit: 25 })).toEqual({
    records: [expect.objectContaining({ namespace: 'me', endpoint: created, reasons: ['It fits.', 'It is free.'] })],
    ...{ matches: 1, page: 1, pages: 1, status: { total: 1, revision: 1, states: { pending: 1 } } },
  });
});

test('of two endpoints created at once with one name, one is created and the other refused', async () => {
  const { endpoints, folder } = await begin();
  const results = await Promise.allSettled([
    endpoints.create(made('a')),
    endpoints.create(made('a', { namePath: ['name'] })),
    endpoints.create(made('a', { namespace: 'you' })),
  ]);
  expect(results).toMatchObject([
    { status: 'fulfilled' },
    {
      status: 'rejected',
      reason: {
        message: 'There is already an endpoint "a".',
        issues: [{ path: ['name'], message: 'There is already an endpoint "a".' }],
      },
    },
    { status: 'fulfilled' }, // of another namespace
  ]);
  await expect(endpoints.create(made('a'))).rejects.toMatchObject({ issues: [{ path: ['config', 'name'] }] });
  expect((await readdir(folder)).sort()).toEqual(['endpoint-me.a.json', 'endpoint-you.a.json']);
});

test('a name is taken at once, and free again when the creation fails', async () => {
  const { endpoints, folder } = await begin();
  await endpoints.load();
  const making = endpoints.create(made('a'));
  expect([endpoints.takenIn('me')('a'), endpoints.takenIn('you')('a')]).toEqual([true, false]);
  await making;
  await endpoints.remove('me', 'a');
  expect(endpoints.takenIn('me')('a')).toBe(false);
  await rm(folder, { recursive: true });
  await writeFile(folder, 'in the way');
  await expect(endpoints.create(made('a'))).rejects.toThrow();
  expect(endpoints.takenIn('me')('a')).toBe(false);
  expect(endpoints.status).toMatchObject({ total: 0 });
});

test('pages have no gap and no duplicate, even when endpoints are created and removed meanwhile', async () => {
  const { endpoints } = await begin();
  for (let number = 0; number < 25; number++) {
    await endpoints.create(made(`n${String(number).padStart(2, '0')}`, { namespace: number % 5 === 0 ? 'you' : 'me' }));
  }
  const seen: string[] = [];
  let cursor: string | undefined;
  let pages = 0;
  do {
    const page = await endpoints.list('me', { limit: 7, cursor });
    seen.push(...page.items.map(({ name }) => name));
    cursor = page.nextCursor;
    pages++;
    await endpoints.create(made(`late-${pages}`));
    await endpoints.remove('me', seen.at(-1) as string); // the record that the cursor names
  } while (cursor);
  const mine = Array.from({ length: 25 }, (_, number) => number).filter((number) => number % 5 !== 0);
  expect(seen).toEqual(mine.map((number) => `n${String(number).padStart(2, '0')}`).reverse());
  expect(pages).toBe(3);
  expect(await endpoints.list('nobody', { limit: 7 })).toEqual({ items: [] });
  const five = await endpoints.list('you', { limit: 5 });
  expect([five.items.length, five.nextCursor]).toEqual([5, undefined]);
});

test.each(['', 'x', 'bnVsbA', 'W10', ...['["a"]', '["2026-11-21T11:00:00.000Z","a"]'].map(inBase64)])(
  'the unknown cursor %j is refused',
  async (cursor) => {
    const { endpoints } = await begin();
    await expect(endpoints.list('me', { limit: 1, cursor })).rejects.toMatchObject({ details: [{ path: ['cursor'] }] });
  },
);

test('the dashboard’s list can be filtered by name and state, and is counted', async () => {
  const { endpoints } = await begin();
  for (const name of ['a', 'b', 'c', 'd', 'e']) await endpoints.create(made(name));
  await endpoints.apply(mine('b'), { type: 'pause' }, { by: somebody });
  const names = async (wanted: object) => {
    const { records: found, ...rest } = await endpoints.listing({ page: 1, limit: 2, ...wanted });
    return { names: found.map(({ endpoint }) => endpoint.name), ...rest };
  };
  const status = { total: 5, revision: 7, states: { pending: 4, paused: 1 } };
  expect(await names({})).toEqual({ names: ['e', 'd'], matches: 5, page: 1, pages: 3, status });
  expect(await names({ page: 3 })).toEqual({ names: ['a'], matches: 5, page: 3, pages: 3, status });
  expect(await names({ page: 9 })).toMatchObject({ names: [], page: 9, pages: 3 });
  expect(await names({ state: 'paused' })).toMatchObject({ names: ['b'], matches: 1, pages: 1 });
  expect(await names({ name: 'c' })).toMatchObject({ names: ['c'], matches: 1 });
  expect(await names({ name: 'c', state: 'paused' })).toMatchObject({ names: [], matches: 0, pages: 0 });
});

test('a change is stored after the previous one and records its author', async () => {
  const { endpoints, folder } = await begin();
  const before = await endpoints.create(made('a'));
  const changes = await Promise.all([
    endpoints.update('me', 'a', { tags: ['one'] }, other),
    endpoints.update('me', 'a', { compute: { scaling: { maxReplica: 3 } } }, other),
    endpoints.update('me', 'a', {}, somebody),
  ]);
  const last = changes.at(-1);
  expect(last).toEqual({
    ...before,
    tags: ['one'],
    compute: { ...before.compute, scaling: { ...before.compute.scaling, maxReplica: 3 } },
    status: { ...before.status, updatedAt: '2026-11-21T11:00:03.000Z', updatedBy: other },
  });
  expect(await endpointsIn(folder).get('me', 'a')).toEqual(last);
  await expect(endpoints.update('me', 'a', { compute: { scaling: { minReplica: 9 } } }, other)).rejects.toMatchObject({
    issues: [{ path: ['compute', 'scaling', 'minReplica'] }],
  });
  expect(await endpoints.get('me', 'a')).toEqual(last);
});

test('a changed endpoint is placed before anything is stored', async () => {
  const { endpoints } = await begin();
  const before = await endpoints.create(made('a'));
  const nowhere = () => {
    throw new Error('No compatible compute.');
  };
  const change = { compute: { instanceSize: 'x4' } };
  await expect(endpoints.update('me', 'a', change, other, nowhere)).rejects.toThrow('No compatible compute.');
  expect(await endpoints.get('me', 'a')).toEqual(before);
  const placed = await endpoints.update('me', 'a', change, other, (_before, parts) => ({
    ...parts,
    compute: { ...parts.compute, id: 'an-offer' },
  }));
  expect(placed.compute).toEqual({ ...before.compute, instanceSize: 'x4', id: 'an-offer' });
});

test('an image’s password goes to no other registry and no other user', async () => {
  const { endpoints } = await begin();
  const image = (url: string, username: string, password: string | null) => ({
    model: { image: { custom: { url, credentials: { username, password } } } },
  });
  const { model } = partsNamed('a', {
    model: { ...minimalRequest('a').model, ...image('r.example/a:1', 'me', 'p').model },
  });
  await endpoints.create(made('a', { parts: { ...partsNamed('a'), model } }));
  const after = async (url: string, username: string) => {
    await endpoints.update('me', 'a', image(url, username, null), somebody);
    return (await secretsIn(endpoints)).imagePassword;
  };
  expect(await after('r.example/b:2', 'me')).toBe('p');
  expect(await after('evil.example/r.example/b:2', 'me')).toBeNull();
});

test('two names generated at once differ', async () => {
  const { endpoints } = await begin();
  await endpoints.load();
  const named = () => generateName('model', () => 0.5, endpoints.takenIn('me'));
  const both = await Promise.all([endpoints.create(made(named())), endpoints.create(made(named()))]);
  expect(new Set(both.map(({ name }) => name)).size).toBe(2);
});

test('no secret is answered, logged or readable on disk; the endpoint’s runner can decrypt each', async () => {
  const lines: string[] = [];
  const { endpoints, folder } = await begin({ log: createLogger('debug', (line) => lines.push(line)) });
  const image = { custom: { url: 'u', credentials: { username: 'me', password: 'hidden-password' } } };
  const model = { ...minimalRequest('a').model, image, secrets: { A: 'hidden-a', B: 'hidden-b' } };
  const created = await endpoints.create(made('a', { parts: partsNamed('a', { model }) }));
  const change = { model: { secrets: { A: null, B: 'hidden-b2', C: 'hidden-c' } } };
  const updated = await endpoints.update('me', 'a', change, somebody);
  expect(updated.model.secrets).toEqual({ A: null, B: null, C: null });
  expect(updated.model.image.custom?.credentials).toEqual({ username: 'me', password: null });
  const onDisk = await readFile(join(folder, 'endpoint-me.a.json'), 'utf8');
  const answers = [created, updated, await endpoints.list('me', { limit: 1 }), await endpoints.remove('me', 'a')];
  expect(`${JSON.stringify(answers)}${onDisk}${lines.join('')}`).not.toContain('hidden');

  await writeFile(join(folder, 'endpoint-me.a.json'), onDisk);
  expect(await secretsIn(endpointsIn(folder))).toEqual({
    ...{ variables: { A: 'hidden-a', B: 'hidden-b2', C: 'hidden-c' }, imagePassword: 'hidden-password' },
  });
});

test('an endpoint of another namespace, or one that does not exist, is not found', async () => {
  const { endpoints } = await begin();
  await endpoints.create(made('a'));
  const notFound = (name: string) => `There is no endpoint "${name}".`;
  for (const [namespace, name] of [
    ['you', 'a'],
    ['me', 'b'],
    ['me', 'constructor'],
  ] as const) {
    await expect(endpoints.get(namespace, name)).rejects.toThrow(notFound(name));
    await expect(endpoints.update(namespace, name, {}, somebody)).rejects.toThrow(notFound(name));
    await expect(endpoints.apply({ namespace, name }, { type: 'pause' }, { by: somebody })).rejects.toThrow(
      notFound(name),
    );
    await expect(endpoints.remove(namespace, name)).rejects.toThrow(notFound(name));
  }
  await expect(endpoints.apply(mine('b'), { type: 'idle' })).rejects.toThrow(notFound('b'));
  expect(endpoints.status.total).toBe(1);
});

test('the supervisor’s events are stored, and a restart resets the state', async () => {
  const { endpoints, folder } = await begin();
  await endpoints.create(made('a'));
  const states: string[] = [];
  const happen = async (event: EndpointEvent) => states.push((await endpoints.apply(mine('a'), event)).status.state);
  const ask = async (asked: Promise<{ status: { state: string } }>) => states.push((await asked).status.state);

  await happen({ type: 'starting' });
  await happen({ type: 'replicas', ready: 1, target: 1 });
  await expect(endpoints.apply(mine('a'), { type: 'resume' }, { by: somebody })).rejects.toThrow(
    'The endpoint "a" is already running.',
  );
  await ask(endpoints.apply(mine('a'), { type: 'scale-to-zero' }, { by: somebody }));
  await happen({ type: 'requested' });
  await happen({ type: 'replicas', ready: 1, target: 1 });
  await ask(endpoints.apply(mine('a'), { type: 'pause' }, { by: somebody }));
  await happen({ type: 'replicas', ready: 1, target: 1 }); // late
  await expect(endpoints.apply(mine('a'), { type: 'scale-to-zero' }, { by: somebody })).rejects.toMatchObject({
    issues: [{ path: [], message: 'The endpoint "a" cannot sleep now: it is paused.' }],
  });
  await ask(endpoints.apply(mine('a'), { type: 'resume' }, { by: somebody }));
  await happen({ type: 'starting' });
  await happen({ type: 'replicas', ready: 1, target: 1 });
  expect(states).toEqual([
    ...['initializing', 'running', 'scaledToZero', 'initializing', 'running', 'paused', 'paused', 'pending'],
    ...['initializing', 'running'],
  ]);
  expect((await endpointsIn(folder).get('me', 'a')).status).toMatchObject({ state: 'scaledToZero', readyReplica: 0 });
});

test('an endpoint with a maxReplica of 0 cannot be resumed', async () => {
  const { endpoints } = await begin();
  const parts = partsNamed('a');
  const scaling = { ...parts.compute.scaling, maxReplica: 0 };
  await endpoints.create(made('a', { parts: { ...parts, compute: { ...parts.compute, scaling } } }));
  await expect(endpoints.apply(mine('a'), { type: 'resume' }, { by: somebody })).rejects.toThrow('its maxReplica is 0');
});

test('every change publishes the new counts, and no event is published when nothing changed', async () => {
  const events: DaemonEvent[] = [];
  const { endpoints } = await begin({ publish: (event) => events.push(event) });
  await endpoints.create(made('a'));
  await endpoints.apply(mine('a'), { type: 'pause' }, { by: somebody });
  await endpoints.apply(mine('a'), { type: 'pause' }, { by: somebody });
  await endpoints.remove('me', 'a');
  expect(events).toEqual(
    [{}, { pending: 1 }, { paused: 1 }, {}].map((states, index) => ({
      type: 'endpoints.changed',
      endpoints: { total: Object.keys(states).length, revision: index + 1, states },
    })),
  );
});

test('an unreadable folder fails the request, and is read once it can be', async () => {
  const { endpoints, folder } = await begin();
  await rm(folder, { recursive: true });
  await writeFile(folder, 'in the way');
  await expect(endpoints.list('me', { limit: 1 })).rejects.toThrow();
  await rm(folder);
  expect(await endpoints.list('me', { limit: 1 })).toEqual({ items: [] });
});

test('each progress of a start is published, also where the message stays the same', async () => {
  const published: DaemonEvent[] = [];
  const { endpoints } = await begin({ publish: (event) => published.push(event) });
  await endpoints.create(made('a'));
  await endpoints.apply(mine('a'), { type: 'starting' });
  published.length = 0;
  for (const percent of [1, 1, 2]) endpoints.show(mine('a'), `Downloading: ${percent} %.`);
  expect(published.map(({ type }) => type)).toEqual(['endpoints.changed', 'endpoints.changed', 'endpoints.changed']);
  expect((await endpoints.get('me', 'a')).status.message).toBe('Downloading: 2 %.');
  await endpoints.apply(mine('a'), { type: 'pause' }, { by: somebody });
  published.length = 0;
  endpoints.show(mine('a'), 'Downloading: 3 %.');
  endpoints.show(mine('none'), 'Downloading: 3 %.');
  expect(published).toEqual([]);
});

test('a record says whether the endpoint was in a container when it was ready last', async () => {
  const { endpoints, folder } = await begin();
  await endpoints.create(made('a'));
  const after = async (...events: EndpointEvent[]) => {
    for (const event of events) await endpoints.apply(mine('a'), event);
    return endpoints.record(mine('a'))?.servedInContainer;
  };
  const ready = (inContainer: boolean): EndpointEvent => ({ type: 'replicas', ready: 1, target: 1, inContainer });
  const none: EndpointEvent = { type: 'replicas', ready: 0, target: 1, inContainer: false };
  expect(await after({ type: 'starting' })).toBe(false);
  expect(await after(ready(true))).toBe(true);
  expect(await after(none, { type: 'failed', message: 'No engine.' })).toBe(true);
  const again = endpointsIn(folder);
  await again.load();
  expect(again.record(mine('a'))?.servedInContainer).toBe(true);
  expect(await after({ type: 'resume' }, { type: 'starting' }, ready(false))).toBe(false);
});
