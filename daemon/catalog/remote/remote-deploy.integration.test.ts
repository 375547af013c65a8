/** How a catalog service is told to deploy, over real HTTP: one that does as it should, and one that does not. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ShuttingDown } from '../../shared/shutting-down.ts';
import { catalogSample } from '../../testing/models/catalog-contract.ts';
import { CATALOG_TOKEN, type FakeCatalog, startFakeCatalog } from '../../testing/models/fake-catalog.ts';
import { type RemoteClientOptions, remoteClient, remoteTroubleOf } from '../../testing/models/remote-client.ts';

let service: FakeCatalog;
beforeEach(async () => {
  service = await startFakeCatalog({ items: catalogSample });
});
afterEach(() => service[Symbol.asyncDispose]());

const body = { namespace: 'ada' };
const deployPath = '/api/v1/catalog/model/ada/Poet/deploy';
const client = (options: RemoteClientOptions = {}) => remoteClient(service.base, options);
const deploy = (options: RemoteClientOptions = {}) => client(options).deployModel('ada', 'Poet', body, 'poet-x1');
const asked = () => service.requests.map(({ method, path }) => `${method} ${path}`);

test('a deploy sends what the caller says and a name, with the token, and gives the answer as it came', async () => {
  const scaling = { minReplica: 0 };
  const sent = { namespace: 'ada', accelerator: 'gpu', config: { type: 'private', scaling } } as const;
  const reply = await client().deployModel('ada', 'Poet', sent, 'poet-x1');
  expect(reply).toEqual({ endpoint: service.endpoints.get('poet-x1') });
  expect(reply.endpoint).toMatchObject({ name: 'poet-x1', billing: { plan: 'somethingNewer' } });
  expect(service.requests).toEqual([
    {
      method: 'POST',
      path: deployPath,
      authorization: `Bearer ${CATALOG_TOKEN}`,
      ifNoneMatch: null,
      body: { ...sent, config: { type: 'private', scaling, name: 'poet-x1' } },
    },
  ]);
});

test('a deploy of a recipe asks for that one, and keeps the name that the caller gives', async () => {
  const config = { name: 'mine' };
  const reply = await client().deployRecipe('poet-vllm-gpu', { namespace: 'ada', config }, 'poet-x1');
  expect(reply.endpoint.name).toBe('mine');
  expect(asked()).toEqual(['POST /api/v1/catalog/recipe/poet-vllm-gpu/deploy']);
});

test("a deploy of a service with the hub's own words is told in ours, where that was chosen", async () => {
  await service[Symbol.asyncDispose]();
  service = await startFakeCatalog({ items: catalogSample, speaksHub: true });
  const theirs = await client().deployModel('ada', 'Poet', body, 'one');
  const ours = await client({ dialect: 'hub' }).deployModel('ada', 'Poet', body, 'two');
  expect(theirs.endpoint).toMatchObject({ type: 'protected', model: { image: { hfServe: {} } } });
  expect(ours.endpoint).toMatchObject({
    name: 'two',
    type: 'authenticated',
    model: { image: { hubServe: { url: 'registry.example/serve' } } },
    billing: { plan: 'somethingNewer' },
  });
});

test.each([
  ['..', 'x'],
  ['x', '.'],
])('a deploy of %s/%s goes nowhere', async (author, model) => {
  expect((await remoteTroubleOf(client().deployModel(author, model, body, 'x'))).kind).toBe('not-found');
  expect(asked()).toEqual([]);
});

test('a deploy of a name with everything in it reaches no other path', async () => {
  await remoteTroubleOf(client().deployModel('a/../b', '?q#%2e%2e\\', body, 'x'));
  await remoteTroubleOf(client().deployRecipe('%2e%2e', body, 'x'));
  expect(asked()).toEqual([
    'POST /api/v1/catalog/model/a%2F..%2Fb/%3Fq%23%252e%252e%5C/deploy',
    'POST /api/v1/catalog/recipe/%252e%252e/deploy',
  ]);
});

test('a deploy without a token asks nobody', async () => {
  expect((await remoteTroubleOf(deploy({ token: null }))).kind).toBe('auth');
  expect(asked()).toEqual([]);
});

const refused = (status: number, words: object) => ({ answer: { status, body: words } });
test.each([
  [
    refused(400, { error: 'Bad', issues: [{ path: ['config', 'name'], message: 'is odd' }] }),
    'rejected',
    '"Bad" (config.name: is odd)',
  ],
  [
    refused(400, { error: 'Bad', details: { formErrors: ['no'], fieldErrors: { namespace: ['odd'] } } }),
    'rejected',
    '(no; namespace: odd)',
  ],
  [refused(400, { message: 'Bad' }), 'rejected', 'says: "Bad".'],
  [refused(400, {}), 'rejected', 'does not say why (status 400)'],
  [refused(422, { detail: 'odd' }), 'rejected', 'does not say why (status 422)'],
  [
    refused(401, { error: `Not a token: ${CATALOG_TOKEN}` }),
    'auth',
    'does not accept the token that is kept for it. The catalog service says: "Not a token: …".',
  ],
  [refused(403, { error: 'Not in your plan' }), 'auth', '"Not in your plan"'],
  [refused(404, { error: 'No such model' }), 'not-found', '"No such model"'],
  [refused(404, {}), 'not-found', 'has no such model or recipe'],
  [refused(409, { error: 'No compute' }), 'conflict', '"No compute"'],
  [refused(429, { error: 'Slowly' }), 'busy', '"Slowly"'],
  [refused(413, { error: 'Large' }), 'not-understood', '"Large"'],
] as const)('a deploy that is refused with %j is asked for once', async (how, kind, words) => {
  service.misbehave(how);
  const trouble = await remoteTroubleOf(deploy());
  expect([trouble.kind, trouble.message]).toEqual([kind, expect.stringContaining(words)]);
  expect(trouble.message).not.toContain('It is not known');
  expect(asked()).toEqual([`POST ${deployPath}`]);
});

test('a deploy that is refused tells what is wrong with the body', async () => {
  service.misbehave(refused(400, { error: 'Bad', issues: [{ code: 'x', path: ['config', 0], message: 'is odd' }] }));
  expect((await remoteTroubleOf(deploy())).issues).toEqual([{ path: ['config', 0], message: 'is odd' }]);
});

const unknown = 'It is not known whether "poet-x1" was created. Look there before you try again.';
test.each([
  ['no answer', { hang: true }, 'takes too long', 0],
  ['a connection that breaks after it was done', { dropsAnswer: true }, 'broke', 1],
  ['an answer that breaks off', { stopAfterBytes: 10 }, 'broke', 1],
  ['an answer that falls silent', { hangAfterBytes: 10 }, 'takes too long', 1],
  ['500', { status: 500 }, '"The hub is out of order"', 0],
  ['503', { status: 503, retryAfterS: 0 }, 'status 503', 0],
  ['a page of HTML', { garbage: true }, 'what is no endpoint', 0],
  ['another object', refused(200, { endpoints: [] }), 'what is no endpoint', 0],
  ['an endpoint without a name', refused(200, { endpoint: {} }), 'what is no endpoint', 0],
] as const)(
  'a deploy that ends with %s is asked for once, and its outcome is not known',
  async (_, how, words, made) => {
    service.misbehave(how);
    const trouble = await remoteTroubleOf(deploy());
    expect([trouble.kind, trouble.message]).toEqual(['outcome-unknown', expect.stringContaining(words)]);
    expect(trouble.message).toContain(unknown);
    expect(asked()).toEqual([`POST ${deployPath}`]);
    expect(service.endpoints.size).toBe(made);
  },
);

test('a deploy that is cut off by the end of the daemon has an outcome that is not known', async () => {
  const closing = new AbortController();
  service.misbehave({ hang: true });
  const deploying = remoteTroubleOf(deploy({ closing: closing.signal, patience: { deployMs: 60_000 } }));
  setTimeout(() => closing.abort(new ShuttingDown()), 100);
  expect((await deploying).message).toBe(`The daemon is stopping. Start it again first. ${unknown}`);
});

test('a deploy that reached nobody has made nothing', async () => {
  await service[Symbol.asyncDispose]();
  const trouble = await remoteTroubleOf(deploy());
  expect([trouble.kind, trouble.message]).toEqual(['unreachable', expect.stringContaining('ECONNREFUSED')]);
  expect(trouble.message).not.toContain('not known');
  service = await startFakeCatalog();
});

test('what is sent on to another host does not go there, and the token stays here', async () => {
  await using other = await startFakeCatalog({ items: catalogSample });
  service.misbehave({ redirectTo: `${other.base}/catalog/model/ada/Poet/deploy` });
  expect((await remoteTroubleOf(deploy())).message).toContain('leads elsewhere');
  expect((await remoteTroubleOf(client().list(null, new AbortController().signal))).message).toContain(
    'leads elsewhere',
  );
  expect([service.requests.length, other.requests]).toEqual([2, []]);
});
