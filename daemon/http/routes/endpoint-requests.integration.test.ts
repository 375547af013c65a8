/** Requests for complete endpoints, with every member: the real daemon over real HTTP. */
import { describe, expect, test } from 'vitest';
import { endpointApi, issuePaths, LAB, withoutProgress } from '../../testing/daemon/endpoint-api.ts';

const api = endpointApi();
const { ask, create, change, made, list } = api;

describe('a complete endpoint', () => {
  test('is returned with every requested member', async () => {
    const requested = {
      type: 'private',
      privateService: { accountId: '1', region: 'eu-west-1', shared: true },
      cacheHttpResponses: true,
      customRouter: { env: { A: '1' }, grpcPort: 1, port: 2, protocol: 'extProc', tag: 'v1' },
      experimentalFeatures: {
        ...{ cacheHttpResponses: true, loadBalancer: 'sticky', mcpLb: { stateful: true }, skipRepoDownload: true },
      },
      network: { cidrBlock: true, cidrList: ['10.0.0.0/8', '::1/128'] },
      notifications: { email: true, push: false },
      route: { domain: 'models.example', path: '/chat' },
      tags: ['b', 'a', 'b'],
    };
    const model = {
      ...{ repository: 'ada/a-model', revision: 'main', framework: 'pytorch', task: 'sentence-ranking' },
      ...{ args: ['--x'], command: [], env: { LANG: '' }, fromCatalog: true, image: { hub: {} } },
    };
    const endpoint = await made({ ...requested, model });
    expect(endpoint).toMatchObject({ ...requested, tags: ['b', 'a'], model: { ...model, secrets: {} } });
    expect(withoutProgress((await ask('GET', `${LAB}/chat`)).body)).toEqual(withoutProgress(endpoint));
    expect((await list()).items.map(withoutProgress)).toEqual([withoutProgress(endpoint)]);
  });

  test('has the defaults for omitted members', async () => {
    const { status, ...endpoint } = await made({ accountId: 'read and ignored' });
    expect(endpoint).toEqual({
      ...{ ...api.minimal, accountId: null, healthRoute: '/health' },
      compute: {
        ...api.minimal.compute,
        id: expect.stringMatching(/^local-this-machine-host-x\d+$/),
        scaling: { minReplica: 0, maxReplica: 1, scaleToZeroTimeout: 15, measure: null },
      },
      model: {
        ...api.minimal.model,
        ...{ revision: null, task: 'custom', args: null, command: null, env: {}, secrets: {}, fromCatalog: false },
      },
      ...{ allowedOrigins: [], cacheHttpResponses: false, customRouter: null, network: null, privateService: null },
      ...{ route: null, tags: [] },
      experimentalFeatures: { cacheHttpResponses: false, loadBalancer: 'random', mcpLb: null, skipRepoDownload: false },
      notifications: { email: false, push: false },
    });
    expect(status).toMatchObject({ state: 'pending', message: 'Waiting to start.' });
  });

  test('is created from the request of the stock client', async () => {
    const { body } = await create({
      accountId: null,
      type: 'protected',
      compute: {
        ...api.minimal.compute,
        scaling: { maxReplica: 1, minReplica: 0, scaleToZeroTimeout: null },
      },
      model: {
        ...{ repository: 'gpt2', framework: 'pytorch', revision: null, task: null, image: { huggingface: {} } },
        repository: 'openai-community/gpt2',
      },
    });
    expect(body).toMatchObject({
      type: 'authenticated',
      compute: { scaling: { scaleToZeroTimeout: 15 } },
      model: { task: 'custom', image: { hub: {} } },
    });
  });

  test('is refused without the required members', async () => {
    expect(issuePaths(await ask('POST', LAB, { body: {} }))).toEqual(['compute', 'model', 'name', 'provider', 'type']);
    const hollow = { name: 'a', type: 'public', provider: {}, compute: {}, model: {} };
    expect(issuePaths(await ask('POST', LAB, { body: hollow }))).toEqual([
      ...['accelerator', 'instanceSize', 'instanceType', 'scaling'].map((key) => `compute.${key}`),
      ...['framework', 'image', 'repository'].map((key) => `model.${key}`),
      ...['region', 'vendor'].map((key) => `provider.${key}`),
    ]);
    expect(issuePaths(await create({ compute: { ...api.minimal.compute, scaling: {} } }))).toEqual([
      'compute.scaling.maxReplica',
      'compute.scaling.minReplica',
    ]);
  });

  test.each<[string, object, string[]]>([
    ['a member that does not belong', { status: {} }, ['status']],
    [
      'a repository of no owner',
      { model: { repository: 'gpt2', framework: 'custom', image: { hub: {} } } },
      ['model.repository'],
    ],
    ['an empty tag', { tags: [''] }, ['tags.0']],
    ['half a notification', { notifications: { email: true } }, ['notifications.push']],
    ['half a route', { route: { domain: 'x' } }, ['route.path']],
    ['a relative path of a route', { route: { domain: 'x', path: 'chat' } }, ['route.path']],
    [
      'a router that does not belong',
      { customRouter: { tag: 'x', protocol: 'tcp', replicas: 1 } },
      ['customRouter.protocol', 'customRouter.replicas'],
    ],
    ['half an mcpLb', { experimentalFeatures: { mcpLb: {} } }, ['experimentalFeatures.mcpLb.stateful']],
    [
      'a load balancer of nobody',
      { experimentalFeatures: { loadBalancer: 'best' } },
      ['experimentalFeatures.loadBalancer'],
    ],
    ['a privateService of another type', { privateService: { accountId: '1' } }, ['privateService']],
  ])('%s is refused', async (_, more, wrong) => {
    expect(issuePaths(await create(more))).toEqual(wrong);
    await made();
    expect(issuePaths(await change(more))).toEqual(wrong);
  });

  test.each<[string, object, string]>([
    ['no address', { cidrBlock: true }, 'network.cidrList'],
    ['an empty list', { cidrBlock: true, cidrList: [] }, 'network.cidrList'],
    ['a list of null', { cidrBlock: true, cidrList: null }, 'network.cidrList'],
    ['too many bits', { cidrBlock: true, cidrList: ['10.0.0.0/33'] }, 'network.cidrList.0'],
    ['too many IPv6 bits', { cidrBlock: false, cidrList: ['::/129'] }, 'network.cidrList.0'],
    ['a bare address', { cidrBlock: true, cidrList: ['10.0.0.0/8', '10.0.0.1'] }, 'network.cidrList.1'],
    ['no list', { cidrBlock: true, cidrList: '10.0.0.0/8' }, 'network.cidrList'],
  ])('a network of %s is invalid', async (_, network, wrong) => {
    expect(issuePaths(await create({ network }))).toEqual([wrong]);
  });

  test.each([
    { cidrBlock: false, cidrList: [] },
    { cidrBlock: null, cidrList: null },
    { cidrBlock: false, cidrList: ['::/0'] },
  ])('the list of the network %j is not used', async (network) => {
    expect((await made({ network })).network).toEqual(network);
  });

  test.each<[string, object, string[]]>([
    ['a digit first', { env: { '1A': '' } }, ['env.1A']],
    ['a dash', { secrets: { 'A-B': 'refused' } }, ['secrets.A-B']],
    ['NUL', { env: { A: 'a\u0000b' }, secrets: { B: 'a\u0000b' } }, ['env.A', 'secrets.B']],
    ['what is no text', { env: { A: null }, secrets: { B: 1 } }, ['env.A', 'secrets.B']],
    [
      'variables that the daemon sets for llama.cpp, or that affect this machine',
      {
        ...{ env: { LLAMA_ARG_MODEL: 'x' }, secrets: { LLAMA_ARG_HOST: 'refused' }, args: ['--agent', '--tools=all'] },
        image: { llamacpp: { url: 'x', modelPath: 'y' } },
      },
      ['args.0', 'args.1', 'env.LLAMA_ARG_MODEL', 'secrets.LLAMA_ARG_HOST'],
    ],
  ])('variables with %s are refused', async (_, more, wrong) => {
    const model = { ...api.minimal.model, ...more };
    expect(issuePaths(await create({ model }))).toEqual(wrong.map((path) => `model.${path}`));
  });

  test('a variable named __proto__ is refused', async () => {
    const body = JSON.stringify({ ...api.minimal, model: { ...api.minimal.model, env: { A: '' } } });
    const raw = body.replace('{"A":""}', '{"__proto__":{"polluted":"1"}}');
    expect(raw).not.toBe(body);
    const answer = await ask('POST', LAB, { raw, headers: { 'content-type': 'application/json' } });
    expect(issuePaths(answer)).toEqual(['model.env.__proto__']);
  });

  test('of the two members cacheHttpResponses, the outer one counts', async () => {
    const features = async (more: object) => {
      const { cacheHttpResponses: outer, experimentalFeatures: inner } = await made(more);
      await ask('DELETE', `${LAB}/chat`);
      return [outer, inner.cacheHttpResponses];
    };
    expect(await features({ cacheHttpResponses: true })).toEqual([true, true]);
    expect(await features({ experimentalFeatures: { cacheHttpResponses: true } })).toEqual([true, true]);
    const both = { cacheHttpResponses: false, experimentalFeatures: { cacheHttpResponses: true } };
    expect(await features(both)).toEqual([false, false]);
  });

  test.each<[string, object, object]>([
    ['another vendor', { provider: { vendor: 'acme', region: 'moon' } }, { status: 400 }],
    ['another size', { compute: { instanceSize: 'x99999' } }, { status: 400 }],
    ['another accelerator', { compute: { accelerator: 'zero_gpu' } }, { status: 400 }],
    [
      'a vendor with no account',
      {
        provider: { vendor: 'aws', region: 'us-east-1' },
        compute: { accelerator: 'gpu', instanceType: 'nvidia-l4', instanceSize: 'x1' },
      },
      { status: 409, body: { error: expect.stringContaining('No account for aws') } },
    ],
  ])('on %s is not created', async (_, { provider, compute }: { provider?: object; compute?: object }, expected) => {
    const answer = await create({
      provider: provider ?? api.minimal.provider,
      compute: { ...api.minimal.compute, ...compute },
    });
    expect(answer).toMatchObject(expected);
    if (answer.status === 400) expect(issuePaths(answer)).toEqual(['compute.instanceType']);
    expect((await list()).items).toEqual([]);
  });

  test('has an id of its compute that only the daemon sets', async () => {
    const { compute } = await made({ compute: { ...api.minimal.compute, id: 'aws-us-east-1-nvidia-l4-x1' } });
    expect(compute.id).toMatch(/^local-/);
  });
});

describe('scaling', () => {
  const scaled = async (more: object) => {
    const scaling = { minReplica: 0, maxReplica: 2, ...more };
    return create({ compute: { ...api.minimal.compute, scaling } });
  };

  test.each<[object, object | null]>([
    [{}, null],
    [{ measure: null }, null],
    [{ measure: { hardwareUsage: 80 } }, { hardwareUsage: 80 }],
    [{ measure: { hardwareUsage: null } }, { hardwareUsage: null }],
    [{ measure: { pendingRequests: 1.5 } }, { pendingRequests: 1.5 }],
    [{ measure: { pendingRequests: null } }, { pendingRequests: null }],
    [{ metric: 'pendingRequests', threshold: 3 }, { pendingRequests: 3 }],
    [{ metric: 'hardwareUsage' }, { hardwareUsage: null }],
    [{ metric: 'hardwareUsage', threshold: null }, { hardwareUsage: null }],
    [{ metric: null, threshold: null, measure: null }, null],
    [{ threshold: 3, measure: { pendingRequests: null } }, { pendingRequests: 3 }],
    [{ metric: 'pendingRequests', threshold: 3, measure: { hardwareUsage: 5 } }, { hardwareUsage: 5 }],
    [{ metric: 'pendingRequests', threshold: 3, measure: null }, { pendingRequests: 3 }],
  ])('%j gives the measure %j', async (wanted, measure) => {
    const { status, body } = await scaled(wanted);
    expect({ status, scaling: body.compute?.scaling }).toEqual({
      status: 200,
      scaling: { minReplica: 0, maxReplica: 2, scaleToZeroTimeout: 15, measure },
    });
  });

  test.each<[object, string[]]>([
    [{ measure: {} }, ['measure']],
    [{ measure: { hardwareUsage: 1, pendingRequests: 1 } }, ['measure']],
    [{ measure: { hardwareUsage: null, pendingRequests: null } }, ['measure']],
    [{ measure: { hardwareUsage: 100.1 } }, ['measure.hardwareUsage']],
    [{ measure: { hardwareUsage: -1 } }, ['measure.hardwareUsage']],
    [{ measure: { pendingRequests: '1' } }, ['measure.pendingRequests']],
    [{ metric: 'memory' }, ['metric']],
    [{ metric: 'hardwareUsage', threshold: 101 }, ['threshold']],
    [{ threshold: 3 }, ['threshold']],
    [{ metric: null, threshold: 3 }, ['threshold']],
    [{ measure: null, threshold: 3 }, ['threshold']],
    [{ minReplica: 3 }, ['minReplica']],
    [{ minReplica: 1, scaleToZeroTimeout: 5 }, ['scaleToZeroTimeout']],
    [{ more: 1 }, ['more']],
  ])('%j is contradictory', async (wanted, wrong) => {
    expect(issuePaths(await scaled(wanted))).toEqual(wrong.map((key) => `compute.scaling.${key}`));
  });

  test('a change reads a deprecated threshold into the measure, or refuses it', async () => {
    await made({
      compute: { ...api.minimal.compute, scaling: { minReplica: 0, maxReplica: 2, measure: { hardwareUsage: 70 } } },
    });
    const rescale = (scaling: object) => change({ compute: { scaling } });
    const measureAfter = async (scaling: object) => (await rescale(scaling)).body.compute.scaling.measure;
    expect(await measureAfter({ threshold: 55 })).toEqual({ hardwareUsage: 55 });
    expect(await measureAfter({ maxReplica: 3 })).toEqual({ hardwareUsage: 55 });
    expect(issuePaths(await rescale({ threshold: 101 }))).toEqual(['compute.scaling.threshold']);
    expect(await measureAfter({ metric: 'pendingRequests', threshold: 4 })).toEqual({ pendingRequests: 4 });
    expect(await measureAfter({ measure: null })).toBeNull();
    expect(issuePaths(await rescale({ threshold: 55 }))).toEqual(['compute.scaling.threshold']);
  });
});
