/** Refused deploys, and which fault is reported first: the real daemon over real HTTP. */
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import type { RequestOptions } from '../../testing/daemon/checked-daemon.ts';
import { endpointApi, issuePaths, MODEL, RECIPE } from '../../testing/daemon/endpoint-api.ts';

const OLDER = '/api/catalog/deploy';

const api = endpointApi();
const { post, deploy, names } = api;

/** The faults in the order in which they are reported. */
const faults = ['token', 'path', 'JSON', 'schema', 'meaning', 'found', 'compute'] as const;
type Fault = (typeof faults)[number];

describe('of two faults the earlier one is reported', () => {
  const replies: Readonly<Record<Fault, unknown>> = {
    token: { status: 401, body: { error: expect.stringContaining('valid bearer token') } },
    path: { status: 400, body: { error: 'The path cannot be decoded.', issues: [expect.anything()] } },
    JSON: { status: 400, body: { error: 'The body is not JSON.', issues: [expect.anything()] } },
    schema: {
      status: 400,
      body: {
        error: 'The body is invalid (extra: does not belong here).',
        issues: [{ code: 'unrecognized_keys', path: ['extra'], message: 'does not belong here' }],
      },
    },
    meaning: {
      status: 400,
      body: {
        error: 'There is already an endpoint "taken".',
        issues: [{ code: 'custom', path: ['config', 'name'], message: 'There is already an endpoint "taken".' }],
      },
    },
    found: { status: 404, body: { error: expect.stringMatching(/has no (model|recipe)/) } },
    compute: { status: 409, body: { error: expect.stringMatching(/^No compatible compute found for the model: /) } },
  };

  const routes: Readonly<Record<string, (has: (fault: Fault) => boolean) => string>> = {
    model: (has) => {
      const author = has('path') ? '%E0%A4%A' : 'ada';
      const model = has('compute') ? 'Huge-GGUF' : has('found') ? 'nobody-knows-it' : 'Tiny-GGUF';
      return `/api/v1/catalog/model/${author}/${model}/deploy`;
    },
    recipe: (has) => {
      const recipe = has('found') ? 'nobody-knows-it' : has('compute') ? 'huge-q4' : 'tiny-q4';
      return `/api/v1/catalog/recipe/${recipe}${has('path') ? '%ZZ' : ''}/deploy`;
    },
  };

  const cases = Object.keys(routes).flatMap((route) =>
    faults.flatMap((first, at) => [
      { route, present: [first] },
      ...faults.slice(at + 1).map((second) => ({ route, present: [first, second] })),
    ]),
  );

  test.each([...cases, ...Object.keys(routes).map((route) => ({ route, present: [...faults] }))])(
    'deploy of a $route: $present',
    async ({ route, present }) => {
      await deploy({ name: 'taken' });
      const has = (fault: Fault) => present.includes(fault);
      const body = {
        namespace: 'lab',
        ...(has('schema') ? { extra: 1 } : {}),
        ...(has('meaning') ? { config: { name: 'taken' } } : {}),
        // A recipe that the model does not have; the model itself exists.
        ...(has('found') && has('compute') && route === 'model' ? { accelerator: 'gpu' } : {}),
      };
      const json = JSON.stringify(body);
      const answer = await post(routes[route]?.(has) ?? '', {
        ...(has('token') ? { token: 'nobody-knows-it' } : {}),
        headers: { 'content-type': 'application/json' },
        raw: has('JSON') ? json.slice(0, -1) : json,
      });
      const [first = 'token'] = faults.filter(has);
      expect({ status: answer.status, body: answer.body }).toEqual(replies[first]);
      expect(await names()).toEqual(['taken']);
    },
  );

  test('a path of the wrong shape comes before a body that is not JSON', async () => {
    const path = `/api/v1/catalog/model/${'a'.repeat(201)}/Tiny-GGUF/deploy`;
    const headers = { 'content-type': 'application/json' };
    const { body } = await post(path, { headers, raw: '{"namespace":' });
    expect(body).toMatchObject({
      error: expect.stringMatching(/^The path is invalid \(author: .+\)\.$/),
      issues: [{ path: ['author'] }],
    });
  });
});

describe('without a valid token', () => {
  const unauthenticated: [string, RequestOptions][] = [
    ['no header', {}],
    ['an empty header', { headers: { authorization: '' } }],
    ['the scheme alone', { headers: { authorization: 'Bearer' } }],
    ['an empty token', { headers: { authorization: 'Bearer ' } }],
    ['a token that nobody knows', { token: 'rd_nobody-knows-it' }],
    ['another scheme', { headers: { authorization: 'Basic cmRfbm9ib2R5Og==' } }],
    ['two words', { headers: { authorization: 'Bearer one two' } }],
    ['a cookie that nobody knows', { headers: { cookie: 'robot-session-1=nobody' } }],
  ];

  test.each(unauthenticated)('%s: 401 for any other content', async (_, asking) => {
    for (const path of [MODEL, RECIPE, OLDER, '/api/v1/catalog/model/ada/nobody/deploy', `${MODEL}/`]) {
      for (const raw of ['{"namespace":"lab"}', '{"namespace":', undefined]) {
        const answer = await post(path, {
          token: null,
          ...(raw === undefined ? {} : { raw }),
          ...asking,
          headers: { 'content-type': 'application/json', ...asking.headers },
        });
        expect({ status: answer.status, keys: Object.keys(answer.body) }).toEqual({ status: 401, keys: ['error'] });
        expect(answer.headers['www-authenticate']).toBe('Bearer');
      }
    }
    expect(await names()).toEqual([]);
  });

  test('a token in the query or in the body is ignored', async () => {
    const token = await api.newToken();
    const query = `token=${token}&access_token=${token}&authorization=Bearer%20${token}`;
    const body = { namespace: 'lab', token };
    expect((await post(`${MODEL}?${query}`, { token: null, body })).status).toBe(401);
  });

  test('the scheme is accepted in any case, and a token with another scope is refused', async () => {
    const token = await api.newToken();
    for (const scheme of ['bearer', 'BEARER', 'Bearer  ']) {
      const headers = { authorization: `${scheme} ${token}` };
      expect((await post(MODEL, { token: null, headers, body: { namespace: 'lab' } })).status).toBe(200);
    }
    const other = await api.newToken({ scopes: ['daemon'] });
    expect((await post(MODEL, { token: other, body: { namespace: 'lab' } })).status).toBe(401);
  });
});

describe('a body', () => {
  const json = 'application/json';
  const good = '{"namespace":"lab"}';
  const padded = (characters: number) => `{"namespace":"lab"${' '.repeat(characters - good.length)}}`;

  test.each<[string, RequestOptions]>([
    ['that is missing', {}],
    ['of which only the type is there', { headers: { 'content-type': json } }],
    ['that is empty', { headers: { 'content-type': json }, raw: '' }],
    ['of no type', { raw: good }],
    ['of another type', { headers: { 'content-type': 'text/plain' }, raw: good }],
    ['of a form', { headers: { 'content-type': 'application/x-www-form-urlencoded' }, raw: 'namespace=lab' }],
    ['of a type that is none', { headers: { 'content-type': 'json;;;' }, raw: good }],
    ['that is a list', { headers: { 'content-type': json }, raw: '[]' }],
    ['that is text', { headers: { 'content-type': json }, raw: '"x"' }],
    ['that is a number', { headers: { 'content-type': json }, raw: '3' }],
    ['that is true', { headers: { 'content-type': json }, raw: 'true' }],
    ['that is null', { headers: { 'content-type': json }, raw: 'null' }],
    ['that is not JSON', { headers: { 'content-type': json }, raw: '{namespace:"lab"}' }],
    ['that breaks off', { headers: { 'content-type': json }, raw: '{"namespace":"lab"' }],
    ['that goes on after its end', { headers: { 'content-type': json }, raw: `${good}}` }],
    ['of nothing but spaces', { headers: { 'content-type': json }, raw: '   ' }],
    ['that is too long', { headers: { 'content-type': json }, raw: padded(64 * 1024 + 1) }],
    ['that is too long in pieces', { headers: { 'content-type': json }, raw: padded(100_000), isChunked: true }],
    ['that is not gzip', { headers: { 'content-type': json, 'content-encoding': 'gzip' }, raw: good }],
    [
      'of gzip that breaks off',
      { headers: { 'content-type': json, 'content-encoding': 'gzip' }, raw: gzipSync(good).subarray(0, -6) },
    ],
    [
      'of gzip that grows too long',
      { headers: { 'content-type': json, 'content-encoding': 'gzip' }, raw: gzipSync(padded(900_000)) },
    ],
    ['of an encoding that nobody knows', { headers: { 'content-type': json, 'content-encoding': 'rot13' }, raw: good }],
    ['of letters that nobody knows', { headers: { 'content-type': `${json}; charset=klingon` }, raw: good }],
  ])('%s is refused with issues', async (_, asking) => {
    for (const path of [MODEL, RECIPE]) {
      const answer = await post(path, asking);
      expect(answer.status).toBe(400);
      expect(Object.keys(answer.body).sort()).toEqual(['error', 'issues']);
      expect(answer.body.issues.length).toBeGreaterThan(0);
    }
    expect(await names()).toEqual([]);
  });

  test.each<[string, Record<string, string>, string | Buffer]>([
    ['as long as it may be', { 'content-type': json }, padded(64 * 1024)],
    ['of gzip', { 'content-type': json, 'content-encoding': 'gzip' }, gzipSync(good)],
    ['with its letters named', { 'content-type': 'Application/JSON; charset=UTF-8' }, good],
    ["with a mark of its bytes' order", { 'content-type': json }, `\uFEFF${good}`],
    ['with a member twice', { 'content-type': json }, '{"namespace":"x","namespace":"lab"}'],
  ])('%s is accepted', async (_, headers, raw) => {
    const { status, body } = await post(MODEL, { headers, raw });
    expect({ status, keys: Object.keys(body) }).toEqual({ status: 200, keys: ['endpoint'] });
  });

  test.each([
    ['{"namespace":"lab","__proto__":{"polluted":1}}', '__proto__'],
    ['{"namespace":"lab","constructor":{"prototype":{"polluted":1}}}', 'constructor'],
    ['{"namespace":"lab","config":{"__proto__":{"polluted":1}}}', 'config.__proto__'],
    ['{"namespace":"lab","config":{"toString":1}}', 'config.toString'],
    ['{"namespace":"lab","config":{"scaling":{"__proto__":{"minReplica":1}}}}', 'config.scaling.__proto__'],
    [
      '{"namespace":"lab","config":{"type":"private","privateService":{"accountId":"1","__proto__":{"shared":true}}}}',
      'config.privateService.__proto__',
    ],
  ])('%s is refused, and nothing is polluted', async (raw, path) => {
    for (const route of [MODEL, RECIPE]) {
      const answer = await post(route, { headers: { 'content-type': json }, raw });
      expect(answer.status).toBe(400);
      expect(issuePaths(answer)).toEqual([path]);
    }
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  test('reports every issue, each with its code', async () => {
    const answer = await post(MODEL, {
      body: {
        ...{ namespace: 3, accelerator: 'zero_gpu', ggufFile: '', one: 1, two: 2 },
        config: {
          ...{ name: 'Chat', type: 'protected', three: 3 },
          scaling: { minReplica: -1, maxReplica: 1.5, scaleToZeroTimeout: 2 ** 31, four: 4 },
          privateService: { accountId: '', region: 'eu-west-2', shared: 'yes', five: 5 },
        },
      },
    });
    const config = ['name', 'type', 'three'].map((key) => `config.${key}`);
    const scaling = ['minReplica', 'maxReplica', 'scaleToZeroTimeout', 'four'].map((key) => `config.scaling.${key}`);
    const service = ['accountId', 'region', 'shared', 'five'].map((key) => `config.privateService.${key}`);
    const wrong = ['namespace', 'accelerator', 'ggufFile', 'one', 'two', ...config, ...scaling, ...service];
    expect(issuePaths(answer)).toEqual(wrong.toSorted());
    for (const issue of answer.body.issues) {
      expect(Object.keys(issue).sort()).toEqual(['code', 'message', 'path']);
    }
  });

  test('reports every contradiction at once', async () => {
    await deploy({ name: 'taken' });
    const token = await api.newToken({ namespaces: ['home'] });
    const answer = await post(RECIPE, {
      token,
      body: {
        namespace: 'lab',
        config: {
          ...{ name: 'taken', type: 'public', privateService: { accountId: '1' } },
          scaling: { minReplica: 3, maxReplica: 2, scaleToZeroTimeout: 5 },
        },
      },
    });
    expect(issuePaths(answer)).toEqual([
      ...['config.name', 'config.privateService', 'config.scaling.minReplica', 'config.scaling.scaleToZeroTimeout'],
      'namespace',
    ]);
    for (const { message } of answer.body.issues) expect(answer.body.error).toContain(message);
  });

  test.each([{}, { namespace: '' }, { namespace: null }, { namespace: ['lab'] }, { namespace: 'Lab' }])(
    'needs a namespace: %j',
    async (body) => {
      for (const path of [MODEL, RECIPE]) {
        const answer = await post(path, { body });
        expect(answer.body.issues).toEqual([
          { code: expect.any(String), path: ['namespace'], message: expect.any(String) },
        ]);
      }
    },
  );

  test('may not name a recipe when the path names one', async () => {
    const answer = await deploy(undefined, { accelerator: 'cpu', ggufFile: 'tiny-q4.gguf' }, RECIPE);
    expect(answer.body.issues).toEqual(
      ['accelerator', 'ggufFile'].map((key) => ({
        ...{ code: 'unrecognized_keys', path: [key], message: 'does not belong here' },
      })),
    );
  });
});
