/** The config of a deploy, valid and invalid: the real daemon over real HTTP. */
import { describe, expect, test } from 'vitest';
import { endpointApi, issuePaths, MODEL, RECIPE } from '../../testing/daemon/endpoint-api.ts';

const api = endpointApi();
const { ask, post, deploy, names } = api;

describe('names', () => {
  test.each(['a', '0', '-', '---', 'a-b', '-a', 'a-', 'x'.repeat(32), 'con', 'constructor'])(
    '%s is valid',
    async (name) => {
      expect((await deploy({ name })).body.endpoint.name).toBe(name);
      expect((await ask('GET', `/v2/endpoint/lab/${name}`)).body.name).toBe(name);
    },
  );

  test.each([
    '',
    'x'.repeat(33),
    'Chat',
    'a_b',
    'a.b',
    'a b',
    'é',
    '🤖',
    'a\n',
    'a/b',
    '../x',
    '__proto__',
    3,
    null,
    ['a'],
  ])('%j is invalid', async (name) => {
    expect(issuePaths(await deploy({ name }))).toEqual(['config.name']);
    expect(await names()).toEqual([]);
  });

  test('are unique in a namespace, and free in every other one', async () => {
    await deploy({ name: 'chat' });
    expect((await deploy({ name: 'chat' }, { namespace: 'home' })).status).toBe(200);
    for (const namespace of ['lab', 'home']) {
      const { status, body } = await deploy({ name: 'chat' }, { namespace });
      expect({ status, body }).toEqual({
        status: 400,
        body: {
          error: 'There is already an endpoint "chat".',
          issues: [{ code: 'custom', path: ['config', 'name'], message: 'There is already an endpoint "chat".' }],
        },
      });
    }
    const found = (query: string) => ask('GET', `/api/endpoints?name=chat${query}`);
    const both = (await found('')).body.endpoints as { namespace: string }[];
    expect(both.map(({ namespace }) => namespace)).toEqual(['home', 'lab']);
    expect((await found('&namespace=lab')).body).toMatchObject({ endpoints: [{ namespace: 'lab' }], matches: 1 });
  });

  test('of two concurrent requests for a name, one gets it', async () => {
    const paths = [MODEL, RECIPE, '/v2/endpoint/lab'];
    const answers = await Promise.all(
      Array.from({ length: 24 }, (_, at) => {
        const path = paths[at % paths.length] ?? MODEL;
        return path.startsWith('/v2') ? api.create() : deploy({ name: 'chat' }, {}, path);
      }),
    );
    const refused = answers.filter(({ status }) => status === 400);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(refused).toHaveLength(23);
    expect(new Set(refused.map(({ body }) => body.error))).toEqual(new Set(['There is already an endpoint "chat".']));
    expect(await names()).toEqual(['chat']);
  });

  test("are generated from the model's if missing, and unique", async () => {
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, at) => deploy(undefined, {}, at % 2 ? MODEL : RECIPE)),
    );
    const made: string[] = answers.map(({ body }) => body.endpoint.name);
    expect(new Set(made).size).toBe(30);
    for (const name of made) expect(name).toMatch(/^tiny-gguf-[a-z0-9]{3}$/);
    expect((await names()).toSorted()).toEqual(made.toSorted());
    const long = '/api/v1/catalog/model/bob/A_long.name-that-never-ends-and-never-stops-v1.5/deploy';
    const { name } = (await deploy(undefined, {}, long)).body.endpoint;
    expect(name).toMatch(/^a-long-name-that-never-ends[a-z-]*-[a-z0-9]{3}$/);
    expect(name.length).toBeLessThanOrEqual(32);
  });
});

describe('the config', () => {
  test.each(['private', 'public', 'authenticated'])('type %s', async (type) => {
    expect((await deploy({ type })).body.endpoint).toMatchObject({ type, privateService: null });
  });
  test.each(['protected', '', 'Public', null, 1])('type %j is invalid', async (type) => {
    expect(issuePaths(await deploy({ type }))).toEqual(['config.type']);
  });

  const scaled = { minReplica: 0, maxReplica: 1, scaleToZeroTimeout: 15, measure: null };
  test.each([
    [{}, scaled],
    [{ maxReplica: 5 }, { ...scaled, maxReplica: 5 }],
    [{ minReplica: 1 }, { ...scaled, minReplica: 1, scaleToZeroTimeout: null }],
    [
      { minReplica: 2, maxReplica: 2 },
      { ...scaled, minReplica: 2, maxReplica: 2, scaleToZeroTimeout: null },
    ],
    [{ scaleToZeroTimeout: 0 }, { ...scaled, scaleToZeroTimeout: 0 }],
    [{ scaleToZeroTimeout: 1_440 }, { ...scaled, scaleToZeroTimeout: 1_440 }],
    [
      { minReplica: 0, maxReplica: 0 },
      { ...scaled, maxReplica: 0 },
    ],
    [{ maxReplica: 32 }, { ...scaled, maxReplica: 32 }],
  ])('scaling %j becomes %j', async (scaling, expected) => {
    const { endpoint } = (await deploy({ scaling })).body;
    expect(endpoint.compute.scaling).toEqual(expected);
    expect(endpoint.status.state).toBe(expected.maxReplica === 0 ? 'paused' : 'pending');
  });

  test.each([
    [{ minReplica: 2 }, ['minReplica'], ['minReplica, 2,', 'maxReplica, 1 (not in the request)']],
    [{ minReplica: 1, maxReplica: 0 }, ['minReplica'], ['minReplica, 1,', 'maxReplica, 0']],
    [{ minReplica: 1, scaleToZeroTimeout: 15 }, ['scaleToZeroTimeout'], ['it is 1']],
    [{ minReplica: 1, scaleToZeroTimeout: 0 }, ['scaleToZeroTimeout'], ['minReplica of 0']],
    [{ minReplica: 9, scaleToZeroTimeout: 1 }, ['minReplica', 'scaleToZeroTimeout'], ['9']],
  ])('scaling %j is contradictory', async (scaling, wrong, sentences) => {
    const answer = await deploy({ scaling });
    expect(answer.status).toBe(400);
    expect(issuePaths(answer)).toEqual(wrong.map((key) => `config.scaling.${key}`));
    for (const sentence of sentences) expect(answer.body.error).toContain(sentence);
  });

  test('more replicas than one machine runs are refused with the reason', async () => {
    const answer = await deploy({ scaling: { minReplica: 33, maxReplica: 33 } });
    expect([answer.status, issuePaths(answer)]).toEqual([
      400,
      ['config.scaling.maxReplica', 'config.scaling.minReplica'],
    ]);
    expect(answer.body.error).toContain('One machine runs at most 32 replicas of an endpoint.');
  });

  test.each([-1, 0.5, '1', null, true, 1e3 + 0.1, 2_147_483_648])(
    '%j is an invalid number of replicas',
    async (value) => {
      for (const key of ['minReplica', 'maxReplica', 'scaleToZeroTimeout']) {
        expect(issuePaths(await deploy({ scaling: { [key]: value } }))).toEqual([`config.scaling.${key}`]);
      }
    },
  );

  test.each(['measure', 'metric', 'threshold'])('%s is for complete endpoints only', async (key) => {
    expect(issuePaths(await deploy({ scaling: { [key]: null } }))).toEqual([`config.scaling.${key}`]);
  });

  test.each([
    [{ accountId: '1' }, { accountId: '1', region: 'us-east-1' }],
    [
      { accountId: '1', region: 'eu-west-1' },
      { accountId: '1', region: 'eu-west-1' },
    ],
    [
      { accountId: '1', shared: false },
      { accountId: '1', region: 'us-east-1', shared: false },
    ],
  ])('privateService %j becomes %j', async (privateService, expected) => {
    expect((await deploy({ type: 'private', privateService })).body.endpoint.privateService).toEqual(expected);
  });

  test.each([
    [{}, ['accountId']],
    [{ accountId: '' }, ['accountId']],
    [{ accountId: '1', region: 'eu-west-2' }, ['region']],
    [{ accountId: '1', region: null }, ['region']],
    [{ accountId: '1', shared: null }, ['shared']],
    [{ accountId: 1, region: 'x', more: 1 }, ['accountId', 'more', 'region']],
  ])('privateService %j is invalid', async (privateService, wrong) => {
    const answer = await deploy({ type: 'private', privateService });
    expect(issuePaths(answer)).toEqual(wrong.map((key) => `config.privateService.${key}`));
  });

  test.each(['public', 'authenticated', undefined])('type %s permits no privateService', async (type) => {
    const answer = await deploy({ ...(type ? { type } : {}), privateService: { accountId: '1' } });
    expect(answer.status).toBe(400);
    expect(issuePaths(answer)).toEqual(['config.privateService']);
  });

  test.each([null, [], 'x', 3])('config %j is invalid', async (config) => {
    expect(issuePaths(await post(MODEL, { body: { namespace: 'lab', config } }))).toEqual(['config']);
  });
});
