/** Lists of endpoints, namespaces, hardware: the real daemon over real HTTP. */
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Hardware } from '../../contract/compute/hardware.ts';
import type { Endpoint, EndpointListing, OwnEndpoint } from '../../contract/endpoints/endpoint.ts';
import { endpointApi, issuePaths, LAB, RECIPE } from '../../testing/daemon/endpoint-api.ts';
import { watchDaemon } from '../../testing/daemon/watch-daemon.ts';

const api = endpointApi();
const { ask, made, list, deploy } = api;

describe('a list', () => {
  const numbered = (at: number) => `e${String(at).padStart(3, '0')}`;
  /** The number of concurrent requests. */
  async function each<T>(items: readonly T[], work: (item: T) => Promise<unknown>): Promise<void> {
    for (let at = 0; at < items.length; at += 25) await Promise.all(items.slice(at, at + 25).map(work));
  }

  test('of 260 endpoints is read page by page without gaps or duplicates, while others are created and removed', async () => {
    const there = Array.from({ length: 260 }, (_, at) => numbered(at));
    await each(there, (name) => made({ name }));
    const whole = await readOn();
    expect(whole.toSorted()).toEqual(there);

    const seen: string[] = [];
    let page = await list('?limit=70');
    const gone = new Set<string>();
    for (let turn = 0; page.nextCursor !== undefined; turn++) {
      seen.push(...page.items.map(({ name }) => name));
      expect(turn).toBeLessThan(10);
      // Removes the last one of the page, an earlier and a later one, and creates new ones, which come first.
      const doomed = [seen.at(-1), seen[turn], whole[seen.length + 5]].filter((name) => name !== undefined);
      for (const name of doomed) gone.add(name);
      await each(doomed, (name) => ask('DELETE', `${LAB}/${name}`));
      await made({ name: `new-${turn}` });
      page = await list(`?limit=70&cursor=${page.nextCursor}`);
    }
    seen.push(...page.items.map(({ name }) => name));
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen.some((name) => name.startsWith('new-'))).toBe(false);
    expect(whole.filter((name) => !seen.includes(name) && !gone.has(name))).toEqual([]);
  });

  async function readOn(): Promise<string[]> {
    const seen: Endpoint[] = [];
    for (let cursor = ''; ; ) {
      const page = await list(`?limit=90${cursor}`);
      seen.push(...page.items);
      if (page.nextCursor === undefined) break;
      expect(page.items).toHaveLength(90);
      expect(seen.length).toBeLessThan(1_000);
      cursor = `&cursor=${page.nextCursor}`;
    }
    const order = seen.map(({ name, status }) => [status.createdAt, name] as const);
    const sorted = order.toSorted(([at, name], [other, than]) =>
      at === other ? (name < than ? -1 : 1) : at > other ? -1 : 1,
    );
    expect(order).toEqual(sorted);
    return seen.map(({ name }) => name);
  }

  test('has 100 endpoints a page by default, and a last page', async () => {
    expect(await list()).toEqual({ items: [] });
    await each(
      Array.from({ length: 101 }, (_, at) => numbered(at)),
      (name) => made({ name }),
    );
    const first = await list();
    expect(first.items).toHaveLength(100);
    const last = await list(`?cursor=${first.nextCursor}`);
    expect(Object.keys(last)).toEqual(['items']);
    expect(last.items).toHaveLength(1);
    expect((await list('', 'home')).items).toEqual([]);
  });

  test.each([
    'limit=0',
    'limit=101',
    'limit=x',
    'limit=1&limit=2',
    'cursor=x',
    'cursor=',
    'cursor=W10',
    'cursor=a&cursor=b',
  ])('%s is refused', async (query) => {
    const { status, body } = await ask('GET', `${LAB}?${query}`);
    expect({ status, path: body.details?.[0].path }).toEqual({ status: 400, path: [query.split('=')[0]] });
  });
});

describe('all endpoints', () => {
  const listing = async (query = ''): Promise<EndpointListing> =>
    (await ask('GET', `/api/endpoints?${query}`, { token: null })).body;

  const fullName = ({ namespace, endpoint }: OwnEndpoint) => `${namespace}/${endpoint.name}`;

  test('are listed page by page, in all namespaces, with the reasons of the selection', async () => {
    const paused = { scaling: { maxReplica: 0 } };
    await api.failed({ name: 'one' });
    await deploy({ name: 'two', ...paused }, { namespace: 'home' }, RECIPE);
    await deploy({ name: 'three', ...paused }, {}, RECIPE);
    const { endpoints, status, matches } = await listing();
    expect({ matches, names: endpoints.map(fullName).toSorted() }).toEqual({
      ...{ matches: 3, names: ['home/two', 'lab/one', 'lab/three'] },
    });
    const moments = endpoints.map(({ endpoint }) => endpoint.status.createdAt);
    expect(moments).toEqual(moments.toSorted().reverse());
    expect(endpoints[0]?.reasons).toEqual([expect.stringMatching(/^Fits this machine: /)]);
    expect(status).toMatchObject({ total: 3, states: { paused: 2, failed: 1 } });
    expect((await listing('name=two')).endpoints).toHaveLength(1);
    expect((await listing('name=nobody')).endpoints).toEqual([]);
    expect((await listing('state=paused')).endpoints.map(fullName)).toEqual(['lab/three', 'home/two']);
    expect((await listing('state=failed')).endpoints.map(fullName)).toEqual(['lab/one']);
    const repository = endpoints[0]?.endpoint.model.repository ?? '';
    const same = endpoints.filter(({ endpoint }) => endpoint.model.repository === repository);
    expect(await listing(`repository=${encodeURIComponent(repository)}`)).toMatchObject({
      ...{ matches: same.length, endpoints: same },
    });
    expect((await listing('repository=ada/nothing')).endpoints).toEqual([]);
    const second = await listing('limit=1&page=2');
    expect(second).toMatchObject({ page: 2, pages: 3, endpoints: [endpoints[1]] });
    expect((await listing('page=1000')).endpoints).toEqual([]);
    for (const query of ['limit=0', 'page=0', 'state=sleepy', `name=${'x'.repeat(33)}`]) {
      expect((await ask('GET', `/api/endpoints?${query}`)).status).toBe(400);
    }
  });

  test('publish an event at each change', async () => {
    const events = watchDaemon(api.daemon.url);
    onTestFinished(() => void events.return(undefined));
    const { value: first } = await events.next();
    if (first?.type !== 'snapshot') throw new Error('no snapshot');
    const { endpoints: before, catalogSource } = first.snapshot;
    expect(catalogSource).toMatchObject({ kind: 'embedded' });
    const next = async () => {
      for (;;) {
        const { value } = await events.next();
        if (value?.type === 'endpoints.changed') return value.endpoints;
      }
    };
    // Paused, or else it also changes by itself.
    await deploy({ name: 'heard', scaling: { maxReplica: 0 } });
    const made = await next();
    const paused = (before.states.paused ?? 0) + 1;
    expect(made).toMatchObject({ total: before.total + 1, states: { paused } });
    expect(made.revision).toBeGreaterThan(before.revision);
    await api.change({ compute: { scaling: { maxReplica: 1 } } }, 'heard');
    expect((await next()).revision).toBeGreaterThan(made.revision);
    await ask('POST', '/v2/endpoint/lab/heard/resume');
    expect((await next()).states).toMatchObject({ pending: 1 });
    await ask('POST', '/v2/endpoint/lab/heard/pause');
    for (let last = await next(); last.states.paused !== paused; ) last = await next();
    await ask('DELETE', '/v2/endpoint/lab/heard');
    expect(await next()).toMatchObject({ total: before.total });
    expect((await ask('POST', '/v2/endpoint/lab/heard/pause')).status).toBe(404);
    expect((await listing()).status.total).toBe(before.total);
  });
});

describe('a namespace', () => {
  test('outside of the scope of a token does not exist for it', async () => {
    await made();
    const token = await api.newToken({ namespaces: ['home'] });
    for (const [method, path, body] of [
      ['GET', LAB],
      ['POST', LAB, { ...api.minimal, name: 'other' }],
      ['GET', `${LAB}/chat`],
      ['PUT', `${LAB}/chat`, {}],
      ['DELETE', `${LAB}/chat`],
      ['POST', `${LAB}/chat/pause`],
      ['POST', `${LAB}/chat/resume`],
      ['POST', `${LAB}/chat/scale-to-zero`],
      ['GET', '/v2/provider/lab'],
    ] as const) {
      const answer = await ask(method, path, { token, ...(body ? { body } : {}) });
      expect({ path, status: answer.status, body: answer.body }).toEqual({
        ...{ path, status: 404, body: { error: 'There is no namespace "lab" for this token.' } },
      });
    }
    expect((await ask('GET', '/v2/endpoint/home', { token })).body).toEqual({ items: [] });
    expect((await list()).items).toHaveLength(1);
  });

  test('has its own endpoints, whose names may be those of another one', async () => {
    await made();
    for (const method of ['GET', 'DELETE', 'PUT'] as const) {
      const answer = await ask(method, '/v2/endpoint/home/chat', method === 'PUT' ? { body: {} } : {});
      expect(answer.status).toBe(404);
    }
    const body = { ...api.minimal, tags: ['home'] };
    expect((await ask('POST', '/v2/endpoint/home', { body })).status).toBe(200);
    expect((await ask('DELETE', '/v2/endpoint/home/chat')).body).toMatchObject({ tags: ['home'] });
    expect((await ask('GET', `${LAB}/chat`)).body).toMatchObject({ tags: [] });
  });

  test.each(['Lab', 'a_b', 'x'.repeat(65), '%20', '..%2F..', '%00'])('%s is invalid', async (namespace) => {
    expect(issuePaths(await ask('GET', `/v2/endpoint/${namespace}`))).toEqual(['namespace']);
    expect(issuePaths(await ask('GET', `/v2/endpoint/${namespace}/Chat`))).toEqual(['name', 'namespace']);
    expect(issuePaths(await ask('GET', `/v2/provider/${namespace}`))).toEqual(['namespace']);
  });

  test('needs a token, which is checked first', async () => {
    for (const [method, path] of [
      ['GET', LAB],
      ['HEAD', LAB],
      ['POST', LAB],
      ['PUT', `${LAB}/chat`],
      ['POST', `${LAB}/chat/pause`],
      ['GET', '/v2/endpoint/%E0%A4%A/x'],
      ['GET', '/v2/provider/lab'],
      ['GET', '/api/whoami-v2'],
    ] as const) {
      const raw =
        method === 'GET' || method === 'HEAD' ? {} : { raw: '{"half', headers: { 'content-type': 'application/json' } };
      const { status, headers } = await ask(method, path, { token: null, ...raw });
      expect({ path, status, asks: headers['www-authenticate'] }).toEqual({ path, status: 401, asks: 'Bearer' });
    }
  });
});

test('the hardware lists this machine as available, and the vendors as unavailable without an account', async () => {
  const { vendors } = (await ask('GET', '/v2/provider/lab')).body as Hardware;
  expect(vendors.map(({ name }) => name)).toEqual(['aws', 'azure', 'gcp', 'local']);
  const computes = (name: string) =>
    vendors
      .filter((vendor) => vendor.name === name)
      .flatMap(({ regions }) => regions.flatMap((region) => region.computes));
  expect(vendors.at(-1)).toMatchObject({
    status: 'available',
    regions: [{ name: 'this-machine', label: 'This machine', status: 'available' }],
  });
  expect(computes('local')[0]).toMatchObject({ accelerator: 'cpu', status: 'available', pricePerHour: 0 });
  for (const vendor of ['aws', 'azure', 'gcp']) {
    expect(computes(vendor).length).toBeGreaterThan(3);
    for (const { status, quota } of computes(vendor)) {
      expect(['not_available', 'deprecated']).toContain(status);
      expect(quota).toEqual({ maxAccelerators: 0, usedAccelerators: 0 });
    }
  }
  // The listed names can be used in a request.
  expect(await made()).toMatchObject({ provider: { vendor: 'local', region: 'this-machine' } });
});

test('a client learns the name of its token, its namespaces and the default one', async () => {
  const who = async (token: string) => (await ask('GET', '/api/whoami-v2', { token })).body;
  const everywhere = await api.newToken({ name: 'everywhere' });
  const fullname = { type: 'user', id: expect.any(String) };
  expect(await who(everywhere)).toEqual({ ...fullname, name: 'local', fullname: 'everywhere', orgs: [] });
  const restricted = await api.newToken({ name: 'restricted', namespaces: ['home', 'lab'] });
  expect(await who(restricted)).toEqual({ ...fullname, name: 'home', fullname: 'restricted', orgs: [{ name: 'lab' }] });
});
