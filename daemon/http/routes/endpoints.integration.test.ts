/** Changes and commands of endpoints: the real daemon over real HTTP. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { OwnEndpoint } from '../../contract/endpoints/endpoint.ts';
import { type Answer, startCheckedDaemon } from '../../testing/daemon/checked-daemon.ts';
import { endpointApi, issuePaths, LAB, reachedState, withoutProgress } from '../../testing/daemon/endpoint-api.ts';
import { newDataDir } from '../../testing/daemon/test-daemon.ts';
import { writeStuckLlamaServer } from '../../testing/models/llama-server-standin.ts';
import { writeTinyGguf } from '../../testing/models/tiny-gguf.ts';

const api = endpointApi();
const { ask, change, made } = api;

describe('a change', () => {
  test('changes only the sent members, and null differs from an omitted member', async () => {
    const before = await made({
      network: { cidrBlock: true, cidrList: ['10.0.0.0/8'] },
      route: { domain: 'x', path: '/' },
      tags: ['a'],
      cacheHttpResponses: true,
    });
    for (const [body, after] of [
      [{}, {}],
      [{ tags: ['b'] }, { tags: ['b'] }],
      [{ route: null }, { route: null }],
      [{ network: { cidrBlock: false } }, { network: { cidrBlock: false, cidrList: ['10.0.0.0/8'] } }],
      [{ network: null }, { network: null }],
      [{ model: { revision: 'v2', task: 'translation' } }, { model: { revision: 'v2', task: 'translation' } }],
      [{ model: { revision: null, task: null } }, { model: { revision: null, task: 'custom' } }],
      [{ notifications: { email: true, push: true } }, { notifications: { email: true, push: true } }],
      [
        { experimentalFeatures: { loadBalancer: 'sticky' } },
        { experimentalFeatures: { loadBalancer: 'sticky', cacheHttpResponses: true } },
      ],
      [{ experimentalFeatures: { loadBalancer: null } }, { experimentalFeatures: { loadBalancer: 'random' } }],
      [
        { compute: { scaling: { maxReplica: 3 } } },
        { compute: { scaling: { maxReplica: 3, scaleToZeroTimeout: 15 } } },
      ],
      [
        { compute: { scaling: { minReplica: 1 } } },
        { compute: { scaling: { minReplica: 1, scaleToZeroTimeout: null } } },
      ],
      [
        { compute: { scaling: { minReplica: 0 } } },
        { compute: { scaling: { minReplica: 0, scaleToZeroTimeout: 15 } } },
      ],
    ] as [object, object][]) {
      const { status: _before, ...unchanged } = (await ask('GET', `${LAB}/chat`)).body;
      const { body: changed } = await change(body);
      expect(changed).toMatchObject(after);
      const { body: read } = await ask('GET', `${LAB}/chat`);
      // A start that the change began may have changed it again.
      expect(withoutProgress(read)).toEqual(withoutProgress(changed));
      const keys = Object.keys(body);
      for (const key of Object.keys(unchanged).filter((each) => !keys.includes(each))) {
        expect({ body, key, value: changed[key] }).toEqual({ body, key, value: unchanged[key] });
      }
      expect(changed.status.createdAt).toBe(before.status.createdAt);
    }
  });

  test('that contradicts the existing members is refused, and changes nothing', async () => {
    const before = await api.failed();
    expect(issuePaths(await change({ compute: { scaling: { minReplica: 2 } } }))).toEqual([
      'compute.scaling.minReplica',
    ]);
    expect(issuePaths(await change({ network: { cidrBlock: true } }))).toEqual(['network.cidrList']);
    expect(issuePaths(await change({ name: 'other' }))).toEqual(['name']);
    expect(issuePaths(await change({ compute: { instanceSize: 'x99999' } }))).toEqual(['compute.instanceType']);
    const elsewhere = { provider: { vendor: 'aws', region: 'us-east-1' } };
    const compute = { accelerator: 'gpu', instanceType: 'nvidia-l4', instanceSize: 'x1' };
    expect((await change({ ...elsewhere, compute })).status).toBe(409);
    expect((await ask('GET', `${LAB}/chat`)).body).toEqual(before);
    expect((await change({}, 'nobody')).status).toBe(404);
  });

  test('removes the custom router when its tag is null', async () => {
    const router = { env: { A: '1' }, grpcPort: null, port: 3_000, protocol: 'http', tag: 'v1' };
    expect((await made({ customRouter: { tag: 'v1', env: { A: '1' } } })).customRouter).toEqual(router);
    const routerAfter = async (customRouter: object | null) => (await change({ customRouter })).body.customRouter;
    expect(await routerAfter(null)).toEqual(router);
    expect(await routerAfter({ tag: 'v2', port: 80 })).toEqual({ ...router, tag: 'v2', port: 80 });
    const extProc = { ...router, tag: 'v2', protocol: 'extProc', grpcPort: 9_002 };
    expect(await routerAfter({ tag: 'v2', port: null, protocol: 'extProc' })).toEqual(extProc);
    expect(await routerAfter({ tag: 'v2', grpcPort: 1 })).toEqual({ ...extProc, grpcPort: 1 });
    expect(await routerAfter({ tag: 'v2', protocol: 'http' })).toEqual({ ...router, tag: 'v2' });
    expect(await routerAfter({ tag: null })).toBeNull();
    expect(await routerAfter({ tag: 'v3' })).toEqual({ ...router, env: {}, tag: 'v3' });
    expect(await routerAfter({ port: 1 })).toBeNull();
    expect(await routerAfter(null)).toBeNull();
  });

  test('of the type must also remove the privateService', async () => {
    await made({ type: 'private', privateService: { accountId: '1' } });
    expect(issuePaths(await change({ type: 'public' }))).toEqual(['privateService']);
    expect((await change({ type: 'public', privateService: null })).body).toMatchObject({
      type: 'public',
      privateService: null,
    });
  });

  test('is applied after concurrent ones, without losing any', async () => {
    await made();
    const tags = Array.from({ length: 12 }, (_, at) => `t${at}`);
    await Promise.all([
      ...tags.map((tag) => change({ tags: [tag] })),
      ...tags.map((tag) => change({ model: { revision: tag } })),
    ]);
    const { body } = await ask('GET', `${LAB}/chat`);
    expect(tags).toContain(body.tags[0]);
    expect(tags).toContain(body.model.revision);
  });
});

test('an endpoint is paused, resumed, scaled to zero and removed', async () => {
  const at = (what: string) => ask('POST', `${LAB}/chat/${what}`);
  const state = ({ status, body }: Answer) => [status, body.status?.state ?? body.error];
  const sleepy = 'The endpoint "chat" cannot sleep now: ';
  await api.failed();
  expect(state(await at('resume'))).toEqual([200, 'pending']);
  await api.reached('failed');
  expect(state(await at('scale-to-zero'))).toEqual([400, `${sleepy}it has failed.`]);
  expect(state(await at('pause'))).toEqual([200, 'paused']);
  expect(state(await at('pause'))).toEqual([200, 'paused']);
  expect(state(await at('scale-to-zero'))).toEqual([400, `${sleepy}it is paused.`]);
  expect(state(await at('resume'))).toEqual([200, 'pending']);
  expect(state(await change({ compute: { scaling: { maxReplica: 0 } } }))).toEqual([200, 'paused']);
  const cannot = await at('resume');
  expect(state(cannot)).toEqual([400, 'The endpoint "chat" cannot start: its maxReplica is 0. Raise it first.']);
  expect(cannot.body.issues).toEqual([{ code: 'custom', path: [], message: cannot.body.error }]);

  const before = (await ask('GET', `${LAB}/chat`)).body;
  const removed = await ask('DELETE', `${LAB}/chat`);
  expect({ status: removed.status, body: removed.body }).toEqual({ status: 200, body: before });
  for (const [method, path] of [
    ['GET', ''],
    ['DELETE', ''],
    ['POST', '/pause'],
    ['POST', '/resume'],
    ['POST', '/scale-to-zero'],
  ] as const) {
    const { status, body } = await ask(method, `${LAB}/chat${path}`);
    expect({ status, body }).toEqual({ status: 404, body: { error: 'There is no endpoint "chat".' } });
  }
  expect((await change({})).status).toBe(404);
});

test.skipIf(process.platform === 'win32')(
  'an endpoint that is starting cannot sleep, stays so when it is resumed, and leaves no process when it is removed',
  async () => {
    const dataDir = await newDataDir();
    onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
    const llamaServer = await writeStuckLlamaServer(dataDir);
    await using checked = await startCheckedDaemon({ dataDir, llamaServer });
    const modelPath = writeTinyGguf(join(dataDir, 'own.gguf'));
    const model = { ...api.minimal.model, image: { llamacpp: { url: 'engines/llamacpp:cpu', modelPath } } };
    const body = { ...api.minimal, model, experimentalFeatures: { skipRepoDownload: true } };
    expect((await checked.ask('POST', LAB, { body })).status).toBe(200);
    const path = `${LAB}/chat`;
    expect(await reachedState(checked, path, 'initializing')).toMatchObject({
      status: { readyReplica: 0, targetReplica: 1 },
    });
    const pid = await vi.waitFor(async () => {
      const { body } = await checked.ask('GET', '/api/endpoints?name=chat');
      const found = (body.endpoints as OwnEndpoint[])[0]?.report.replicas[0]?.pid;
      expect(await checked.daemon.children()).toContain(found);
      return found;
    });
    const resumed = await checked.ask('POST', `${path}/resume`);
    expect(resumed).toMatchObject({ status: 200, body: { status: { state: 'initializing' } } });
    const slept = await checked.ask('POST', `${path}/scale-to-zero`);
    expect(slept).toMatchObject({
      ...{ status: 400, body: { error: 'The endpoint "chat" cannot sleep now: it is not running yet.' } },
    });
    expect((await checked.ask('DELETE', path)).status).toBe(200);
    expect(await checked.daemon.children()).not.toContain(pid); // the daemon may be trying a Python meanwhile
  },
);

test('the status of an endpoint names the creator and the author of the last change', async () => {
  const [one, two] = [await api.newToken({ name: 'one' }), await api.newToken({ name: 'two' })];
  const { body: made } = await ask('POST', LAB, { token: one, body: api.minimal });
  expect(made.status.createdBy).toMatchObject({ name: 'one' });
  const { body: paused } = await ask('POST', `${LAB}/chat/pause`, { token: two });
  expect(paused.status).toMatchObject({ createdBy: { name: 'one' }, updatedBy: { name: 'two' } });
  expect(Object.keys(paused.status.createdBy)).toEqual(['id', 'name']);
  expect(JSON.stringify(paused)).not.toContain(one);
});
