import { expect, test } from 'vitest';
import { EndpointChange, EndpointRequest } from '../../contract/endpoints/endpoint-request.ts';
import { minimalRequest, partsNamed, pendingSince } from '../../testing/models/some-endpoints.ts';
import { StoredEndpoint } from '../records/stored-endpoint.ts';
import { buildFromRequest } from './endpoint-builder.ts';
import { changed } from './endpoint-change.ts';
import type { EndpointParts } from './endpoint-parts.ts';

const free = () => false;
const build = (more: object = {}) => buildFromRequest(EndpointRequest.parse({ ...minimalRequest('a'), ...more }), free);
const change = (before: EndpointParts, wanted: unknown) => changed(before, EndpointChange.parse(wanted));
const model = (more: object) => ({ model: { ...minimalRequest('a').model, ...more } });
const issuesOf = (work: () => unknown) => {
  try {
    work();
  } catch (error) {
    return (error as { issues: { path: string[] }[] }).issues.map(({ path }) => path.join('.'));
  }
  throw new Error('nothing was refused');
};

test('the stock client’s request becomes a complete endpoint', () => {
  const sent = {
    compute: {
      accelerator: 'cpu',
      instanceSize: 'x2',
      instanceType: 'host',
      scaling: { maxReplica: 1, minReplica: 1, scaleToZeroTimeout: null },
    },
    model: { framework: 'pytorch', repository: 'openai-community/gpt2', revision: null, image: { huggingface: {} } },
    name: 'from-a-client',
    provider: { region: 'this-machine', vendor: 'local' },
    type: 'authenticated',
  };
  const parts = buildFromRequest(EndpointRequest.parse(sent), free);
  expect(StoredEndpoint.parse({ ...parts, status: pendingSince('2026-11-21T11:00:00.000Z') })).toMatchObject(parts);
  expect(parts).toEqual({
    ...partsNamed('from-a-client'),
    compute: {
      ...{ accelerator: 'cpu', id: null, instanceType: 'host', instanceSize: 'x2' },
      scaling: { minReplica: 1, maxReplica: 1, scaleToZeroTimeout: null, measure: null },
    },
    model: {
      ...{ repository: 'openai-community/gpt2', revision: null, framework: 'pytorch', task: 'custom', args: null },
      ...{ command: null, env: {}, secrets: {}, fromCatalog: false, image: { hub: {} } },
    },
  });
});

test('choices are kept and completed by defaults', () => {
  const parts = build({
    customRouter: { tag: 'v1', protocol: 'extProc', port: null },
    experimentalFeatures: { loadBalancer: null, mcpLb: { stateful: true } },
    network: { cidrBlock: null },
    tags: ['b', 'a', 'b'],
    ...model({ image: { tgi: { url: 'u', healthRoute: '/ready' } }, task: null, env: { A: '1' } }),
  });
  expect(parts).toMatchObject({
    customRouter: { env: {}, grpcPort: 9002, port: 3000, protocol: 'extProc', tag: 'v1' },
    experimentalFeatures: { loadBalancer: 'random', mcpLb: { stateful: true }, skipRepoDownload: false },
    network: { cidrBlock: null, cidrList: null },
    tags: ['b', 'a'],
    healthRoute: '/ready',
    model: { image: { tgi: { url: 'u', disableCustomKernels: true } }, task: 'custom', env: { A: '1' } },
  });
  expect(build({ customRouter: { port: 1 } }).customRouter).toBeNull();
  expect(build({ network: null, route: null, privateService: null, customRouter: null })).toEqual(build());
});

test.each([
  [{ cacheHttpResponses: true, experimentalFeatures: { cacheHttpResponses: false } }, true],
  [{ cacheHttpResponses: false, experimentalFeatures: { cacheHttpResponses: true } }, false],
  [{ experimentalFeatures: { cacheHttpResponses: true } }, true],
  [{ cacheHttpResponses: true }, true],
  [{}, false],
])('%j: both cache settings are %j', (wanted, both) => {
  const { cacheHttpResponses, experimentalFeatures } = build(wanted);
  expect([cacheHttpResponses, experimentalFeatures.cacheHttpResponses]).toEqual([both, both]);
  const after = change(build(wanted), { experimentalFeatures: { cacheHttpResponses: !both } });
  expect([after.cacheHttpResponses, after.experimentalFeatures.cacheHttpResponses]).toEqual([!both, !both]);
});

test('reranking forces rank pooling', () => {
  const llamacpp = { url: 'u', modelPath: 'a.gguf', mode: 'reranking', pooling: 'mean' };
  expect(build(model({ image: { llamacpp } })).model.image).toEqual({ llamacpp: { ...llamacpp, pooling: 'rank' } });
});

test('llama.cpp answers at most 256 requests at a time, with at most 1,024 threads', () => {
  const llamacpp = { url: 'u', modelPath: 'a.gguf', nParallel: 256, threadsHttp: 1_024 };
  build(model({ image: { llamacpp } }));
  const tooMany = { ...llamacpp, nParallel: 257, threadsHttp: 1_025 };
  expect(issuesOf(() => build(model({ image: { llamacpp: tooMany } })))).toEqual([
    'model.image.llamacpp.nParallel',
    'model.image.llamacpp.threadsHttp',
  ]);
});

test('all issues are reported together, each with its path', () => {
  const llamacpp = { url: 'u', modelPath: 'a.gguf' };
  const env = { LLAMA_ARG_PORT: '1', LLAMA_ARG_TEMP: '1', LLAMA_ARG_MODEL: '/b', llama_arg_tools: 'all' };
  const secrets = { LLAMA_ARG_HOST: '0.0.0.0', LLAMA_ARG_MCP_SERVERS_JSON: '{}' };
  const senseless = {
    compute: { ...minimalRequest('a').compute, scaling: { minReplica: 2, maxReplica: 1, scaleToZeroTimeout: 1 } },
    network: { cidrBlock: true, cidrList: [] },
    privateService: { accountId: '1' },
    ...model({ image: { llamacpp }, env, secrets, args: ['--verbose', '--tools=all', '--agent', '--agents'] }),
  };
  const paths = [
    ...['model.env.LLAMA_ARG_PORT', 'model.env.LLAMA_ARG_MODEL', 'model.env.llama_arg_tools'],
    ...['model.secrets.LLAMA_ARG_HOST', 'model.secrets.LLAMA_ARG_MCP_SERVERS_JSON'],
    ...[
      'model.args.1',
      'model.args.2',
      'model.args.3',
      'compute.scaling.minReplica',
      'compute.scaling.scaleToZeroTimeout',
    ],
    ...['privateService', 'network.cidrList'],
  ];
  const request = EndpointRequest.parse({ ...minimalRequest('a'), ...senseless });
  expect(issuesOf(() => buildFromRequest(request, () => true))).toEqual(['name', ...paths]);
  expect(issuesOf(() => change(build(), senseless))).toEqual(paths);
  expect(build(model({ env, secrets })).model.env).toEqual(env); // other engines do not read these variables
});

const whole = build({
  type: 'private',
  privateService: { accountId: '1' },
  customRouter: { tag: 'v1', env: { R: '1' }, port: 5 },
  network: { cidrBlock: true, cidrList: ['10.0.0.0/8'] },
  notifications: { email: true, push: true },
  route: { domain: 'a.example.org', path: '/a' },
  tags: ['a'],
  experimentalFeatures: { loadBalancer: 'sticky', mcpLb: { stateful: true }, skipRepoDownload: true },
  ...model({
    revision: 'main',
    task: 'summarization',
    args: ['a'],
    command: ['c'],
    env: { A: '1' },
    secrets: { S: null },
  }),
});

test.each<[object, object]>([
  [{}, {}],
  [{ type: 'private' }, {}],
  [{ compute: { scaling: { maxReplica: 4 } } }, { compute: { scaling: { maxReplica: 4 } } }],
  [{ compute: { scaling: {} }, model: {}, experimentalFeatures: {} }, {}],
  [{ compute: { instanceSize: 'x4' } }, { compute: { instanceSize: 'x4', id: null } }],
  [{ model: { revision: null } }, { model: { revision: null } }],
  [{ model: { task: null } }, { model: { task: 'custom' } }],
  [{ model: { args: null, command: [] } }, { model: { args: null, command: [] } }],
  [{ model: { fromCatalog: null } }, { model: { fromCatalog: null } }],
  [{ experimentalFeatures: { mcpLb: null } }, { experimentalFeatures: { mcpLb: null } }],
  [{ experimentalFeatures: { loadBalancer: null } }, { experimentalFeatures: { loadBalancer: 'random' } }],
  [{ customRouter: null }, {}],
  [{ customRouter: { tag: 'v2', port: null } }, { customRouter: { tag: 'v2', port: 3000 } }],
  [{ network: { cidrBlock: false } }, { network: { cidrBlock: false } }],
  [{ route: { path: '/b' } }, { route: { path: '/b' } }],
  [{ notifications: { email: false, push: false } }, { notifications: { email: false, push: false } }],
])('%j changes %j and nothing else', (wanted, difference) => {
  expect(change(whole, wanted)).toEqual(merged(whole, difference));
});

/** Merges objects deeply and replaces everything else. */
function merged(before: object, difference: object): object {
  const entries = Object.entries(difference).map(([key, value]) => {
    const was = (before as Record<string, unknown>)[key];
    return [key, isObject(was) && isObject(value) ? merged(was, value) : value];
  });
  return { ...before, ...Object.fromEntries(entries) };
}
const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

test.each<[string, object, Partial<EndpointParts>]>([
  ['a router without a tag is removed', { customRouter: { port: 7 } }, { customRouter: null }],
  ['a router with a null tag is removed', { customRouter: { tag: null } }, { customRouter: null }],
  ['a null network is removed', { network: null }, { network: null }],
  ['a null route is removed', { route: null }, { route: null }],
  [
    'a type that needs no private service',
    { type: 'public', privateService: null },
    { type: 'public', privateService: null },
  ],
  ['lists are replaced', { tags: [] }, { tags: [] }],
  [
    'the older name of a type is accepted',
    { type: 'protected', privateService: null },
    { type: 'authenticated', privateService: null },
  ],
])('%s', (_what, wanted, after) => {
  expect(change(whole, wanted)).toEqual({ ...whole, ...after });
});

test('variables, secrets and the image are replaced, not merged', () => {
  const image = { custom: { url: 'u', healthRoute: '/up' } };
  const after = change(whole, { model: { env: { B: '2' }, secrets: { T: 't' }, image } });
  expect(after).toEqual({
    ...whole,
    healthRoute: '/up',
    model: { ...whole.model, env: { B: '2' }, secrets: { T: 't' }, image },
  });
});

test('an offer’s id is kept as long as it is that offer', () => {
  const before = { ...whole, compute: { ...whole.compute, id: 'an-offer' } };
  const idAfter = (wanted: object) => change(before, wanted).compute.id;
  expect(idAfter({ compute: { id: 'ignored', instanceType: 'host' }, provider: before.provider })).toBe('an-offer');
  expect(idAfter({ compute: { instanceType: 'other' } })).toBeNull();
  expect(idAfter({ compute: { accelerator: 'gpu' } })).toBeNull();
  expect(idAfter({ provider: { vendor: 'other', region: 'r' } })).toBeNull();
});

test('a change that leads to a contradiction is refused', () => {
  expect(issuesOf(() => change(whole, { type: 'public' }))).toEqual(['privateService']);
  expect(issuesOf(() => change(whole, { network: { cidrList: null } }))).toEqual(['network.cidrList']);
  expect(issuesOf(() => change({ ...whole, route: null }, { route: { path: '/b' } }))).toEqual(['route.domain']);
  expect(issuesOf(() => change(whole, { compute: { scaling: { minReplica: 2 } } }))).toEqual([
    'compute.scaling.minReplica',
  ]);
});

test.each<[object, object, string | null]>([
  [{ modelPath: '/home/ada/a.gguf' }, {}, 'modelPath'],
  [{ modelPath: '/home/ada/a.gguf' }, { skipRepoDownload: true }, null],
  [{ modelPath: 'a.gguf' }, { skipRepoDownload: true }, 'modelPath'],
  [{ modelPath: 'a.gguf', mmprojModelPath: '../v.gguf' }, {}, 'mmprojModelPath'],
  [{ modelPath: 'a.gguf' }, {}, null],
])('files %j with %j are refused at once where this machine can never load them', (paths, features, member) => {
  const llamacpp = { url: 'engines/llamacpp:cpu', ...paths };
  const request = { ...model({ image: { llamacpp } }), experimentalFeatures: features };
  const at = (vendor: string) => () => build({ provider: { vendor, region: 'here' }, ...request });
  if (member === null) expect(at('local')).not.toThrow();
  else expect(issuesOf(at('local'))).toEqual([`model.image.llamacpp.${member}`]);
  expect(at('aws')).not.toThrow();
});
