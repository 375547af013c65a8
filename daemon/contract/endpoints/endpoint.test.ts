import { expect, test } from 'vitest';
import type * as z from 'zod';
import { DeployConfig, ModelDeploy, RecipeDeploy } from './deploy.ts';
import { Endpoint } from './endpoint.ts';
import { EndpointChange, EndpointRequest } from './endpoint-request.ts';

/** An endpoint request with every member of the specification. */
const request = {
  name: 'a-name',
  type: 'private',
  accountId: null,
  allowedOrigins: ['http://localhost:5173'],
  provider: { vendor: 'local', region: 'this-machine' },
  compute: {
    accelerator: 'zero_gpu',
    id: 'ignored',
    instanceType: 'host',
    instanceSize: 'x2',
    scaling: {
      ...{ minReplica: 0, maxReplica: 2, scaleToZeroTimeout: 0, measure: { hardwareUsage: 80 } },
      ...{ metric: 'pendingRequests', threshold: 1.5 },
    },
  },
  model: {
    ...{ repository: 'owner/name', revision: 'main', framework: 'llamacpp', task: 'sentence-ranking' },
    ...{ args: ['--verbose'], command: null, env: { A: '1' }, secrets: { B: 'b', C: null }, fromCatalog: null },
    image: { hub: {} },
  },
  cacheHttpResponses: true,
  customRouter: { env: { R: '1' }, grpcPort: 9002, port: null, protocol: 'extProc', tag: 'v1' },
  experimentalFeatures: {
    ...{ cacheHttpResponses: true, loadBalancer: 'least_connections' },
    ...{ mcpLb: { stateful: true }, skipRepoDownload: null },
  },
  network: { cidrBlock: true, cidrList: ['10.0.0.0/8', 'fd00::/8'] },
  notifications: { email: true, push: false },
  privateService: { accountId: '123456789012', region: 'eu-west-1', shared: true },
  route: { domain: 'models.example.org', path: '/a' },
  tags: ['a', 'b'],
};
const person = { id: 'u1', name: 'me' };
const at = '2026-11-21T11:00:00.000Z';
const { metric: _, threshold: __, ...scaling } = request.compute.scaling;
/** The endpoint in a reply. */
const endpoint = {
  ...request,
  healthRoute: '/health',
  compute: { ...request.compute, scaling },
  status: {
    ...{ state: 'running', message: 'Ready.', url: 'http://127.0.0.1:1/', createdAt: at, createdBy: person },
    ...{ updatedAt: at, updatedBy: person, private: { serviceName: 's' }, readyReplica: 1, targetReplica: 1 },
  },
};
const { name: ___, ...change } = request;
const config = {
  name: 'a-name',
  type: 'private',
  scaling: { minReplica: 0, maxReplica: 2, scaleToZeroTimeout: 5 },
  privateService: request.privateService,
};

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
type Path = (string | number)[];

/** Every object in a value with its path. */
function objectsIn(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [];
  const inner = Object.entries(value).flatMap(([key, member]) =>
    objectsIn(member, [...path, Array.isArray(value) ? Number(key) : key]),
  );
  return Array.isArray(value) ? inner : [path, ...inner];
}

function memberAt(value: Json, path: Path): { [key: string]: unknown } {
  return path.reduce<Json>((at, step) => (at as { [key: string]: Json })[step] as Json, value) as object as never;
}

/** A copy in which the object at the path has one more key, as JSON can write any. */
function withKey(value: unknown, path: Path, key: string): unknown {
  const copy = JSON.parse(JSON.stringify(value)); // without shared objects
  Object.defineProperty(memberAt(copy, path), key, { value: { polluted: true }, enumerable: true });
  return JSON.parse(JSON.stringify(copy));
}

const bodies: [string, z.ZodType, unknown][] = [
  ['a whole endpoint', EndpointRequest, request],
  ['a change', EndpointChange, change],
  ['an endpoint that is answered', Endpoint, endpoint],
  ['a deploy by model', ModelDeploy, { namespace: 'me', accelerator: 'cpu', ggufFile: 'a.gguf', config }],
  ['a deploy by recipe', RecipeDeploy, { namespace: 'me', config }],
];
/** Whether a path is a map of variables, which may have any name. */
const isOpen = (path: Path) => ['env', 'secrets'].includes(String(path.at(-1)));

test.each(bodies)('%s accepts every member', (_name, schema, body) => {
  expect(schema.parse(body)).toEqual(body);
});

test.each(bodies)(
  '%s is refused with an unknown key at whatever depth, and nothing is polluted',
  (_name, schema, body) => {
    for (const path of objectsIn(body)) {
      for (const key of isOpen(path)
        ? ['__proto__', 'not-a-variable']
        : ['__proto__', 'constructor', 'toString', 'more']) {
        const issues = schema.safeParse(withKey(body, path, key)).error?.issues ?? [];
        const [issue] = issues.map(({ path: where, message }) => `${where.join('.')} ${message}`);
        expect(issue, `${path.join('.')} with ${key}`).toContain(path.at(-1) ?? '');
        expect(issue).toContain(key);
      }
    }
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  },
);

test('a variable may have the name of an object member', () => {
  const env = JSON.parse('{"constructor":"a","toString":"b"}');
  expect(EndpointRequest.parse({ ...request, model: { ...request.model, env } }).model.env).toEqual(env);
});

test('a change may be empty, and an endpoint needs the members that the specification requires', () => {
  expect(EndpointChange.parse({})).toEqual({});
  const required = EndpointRequest.safeParse({}).error?.issues.map(({ path }) => path.join('.'));
  expect(required).toEqual(['name', 'type', 'provider', 'compute', 'model']);
  const inside = EndpointRequest.safeParse({ ...request, provider: {}, compute: {}, model: {} }).error?.issues;
  expect(inside?.map(({ path }) => path.join('.'))).toEqual([
    ...['provider.vendor', 'provider.region'],
    ...['compute.accelerator', 'compute.instanceType', 'compute.instanceSize', 'compute.scaling'],
    ...['model.repository', 'model.framework', 'model.image'],
  ]);
});

const wrongs: [path: string, value: unknown][] = [
  ...['', 'a'.repeat(33), 'Upper', 'under_score', 'dot.', 'ümlaut', 'a b', 'a\n', null].map(
    (name): [string, unknown] => ['name', name],
  ),
  ['type', 'protected-by-me'],
  ['accountId', 1],
  ['provider.vendor', ''],
  ['compute.accelerator', 'GPU'],
  ['compute.scaling.minReplica', -1],
  ['compute.scaling.minReplica', 1.5],
  ['compute.scaling.minReplica', 33],
  ['compute.scaling.maxReplica', 33],
  ['compute.scaling.maxReplica', '1'],
  ['compute.scaling.scaleToZeroTimeout', -1],
  ['compute.scaling.measure', {}],
  ['compute.scaling.measure', { hardwareUsage: 1, pendingRequests: 1 }],
  ['compute.scaling.measure', { other: 1 }],
  ['compute.scaling.measure.hardwareUsage', 100.5],
  ['compute.scaling.measure.hardwareUsage', -1],
  ['compute.scaling.metric', 'cpu'],
  ['compute.scaling.threshold', -1],
  ['model.repository', 'gpt2'],
  ['model.repository', 'a/b/c'],
  ['model.framework', 'vllm'],
  ['model.task', 'chat'],
  ['model.args', 'one two'],
  ['model.env.1A', 'x'],
  ['model.env.A-B', 'x'],
  ['model.env.A', 1],
  ['model.env.A', 'a\u0000b'],
  ['model.secrets.B', 'a\u0000b'],
  ['customRouter.protocol', 'grpc'],
  ['customRouter.port', 65_536],
  ['customRouter.tag', ''],
  ['experimentalFeatures.loadBalancer', 'round_robin'],
  ['experimentalFeatures.mcpLb', {}],
  ['network.cidrList.0', '10.0.0.0/33'],
  ['network.cidrList.0', '10.0.0.0'],
  ['network.cidrList.0', 'fd00::/129'],
  ['notifications', { email: true }],
  ['privateService.region', 'eu-west-2'],
  ['privateService.accountId', ''],
  ['route', { domain: 'a.example.org' }],
  ['route', { path: '/a' }],
  ['route.path', 'a'],
  ['tags.0', 1],
];

test.each(wrongs)('%s cannot be %j, and the issue says so there', (path, value) => {
  const steps = path.split('.');
  const body = structuredClone(request);
  memberAt(body, steps.slice(0, -1))[steps.at(-1) ?? ''] = value;
  const issues = EndpointRequest.safeParse(body).error?.issues.map((issue) => issue.path.join('.')) ?? [];
  expect(issues).not.toEqual([]);
  for (const each of issues) expect(each.startsWith(path), each).toBe(true);
});

test('every issue is reported', () => {
  const issues = ModelDeploy.safeParse({
    ...{ namespace: '', accelerator: 'zero_gpu', ggufFile: '', more: 1 },
    config: { name: 'A', type: 'protected', scaling: { minReplica: -1, more: 1 }, privateService: {} },
  }).error?.issues;
  expect(issues?.map(({ path }) => path.join('.')).sort()).toEqual([
    ...['', 'accelerator', 'config.name', 'config.privateService.accountId', 'config.scaling'],
    ...['config.scaling.minReplica', 'config.type', 'ggufFile', 'namespace'],
  ]);
});

test('omitted members of a deploy get defaults, including the region', () => {
  expect(ModelDeploy.parse({ namespace: 'me' })).toEqual({ namespace: 'me' });
  expect(DeployConfig.parse({ privateService: { accountId: '1' } })).toEqual({
    privateService: { accountId: '1', region: 'us-east-1' },
  });
  expect(RecipeDeploy.safeParse({ namespace: 'me', ggufFile: 'a.gguf', accelerator: 'cpu' }).success).toBe(false);
  for (const namespace of [undefined, 1, 'a/b', 'A', 'a'.repeat(65)]) {
    expect(ModelDeploy.safeParse({ namespace }).error?.issues[0]?.path).toEqual(['namespace']);
  }
});
