/** Deploys at a catalog service, over real HTTP, with a correct and a misbehaving service. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ShuttingDown } from '../../shared/domain-error.ts';
import { catalogSample } from '../../testing/models/catalog-contract.ts';
import { CATALOG_TOKEN, type FakeCatalog, startFakeCatalog } from '../../testing/models/fake-catalog.ts';
import { type RemoteClientOptions, remoteClient, remoteFailureOf } from '../../testing/models/remote-client.ts';
import { movableClock } from '../../testing/movable-clock.ts';

let service: FakeCatalog;
beforeEach(async () => {
  service = await startFakeCatalog({ items: catalogSample });
});
afterEach(() => service[Symbol.asyncDispose]());

const body = { namespace: 'ada' };
const deployPath = '/api/v1/catalog/model/ada/Poet/deploy';
const client = (options: RemoteClientOptions = {}) => remoteClient(service.base, options);
const deploy = (options: RemoteClientOptions = {}) => client(options).deploy(['model', 'ada', 'Poet'], body, 'poet-x1');
const requests = () => service.requests.map(({ method, path }) => `${method} ${path}`);

test('a deploy sends the caller’s body, a name and the token, and returns the answer unchanged', async () => {
  const scaling = { minReplica: 0 };
  const sent = { namespace: 'ada', accelerator: 'gpu', config: { type: 'private', scaling } } as const;
  const reply = await client().deploy(['model', 'ada', 'Poet'], sent, 'poet-x1');
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

test('a deploy of a recipe keeps the caller’s name', async () => {
  const config = { name: 'mine' };
  const reply = await client().deploy(['recipe', 'poet-vllm-gpu'], { namespace: 'ada', config }, 'poet-x1');
  expect(reply.endpoint.name).toBe('mine');
  expect(requests()).toEqual(['POST /api/v1/catalog/recipe/poet-vllm-gpu/deploy']);
});

test("the answer in the hub's dialect is translated if that dialect was chosen", async () => {
  await service[Symbol.asyncDispose]();
  service = await startFakeCatalog({ items: catalogSample, speaksHub: true });
  const theirs = await client().deploy(['model', 'ada', 'Poet'], body, 'one');
  const ours = await client({ dialect: 'hub' }).deploy(['model', 'ada', 'Poet'], body, 'two');
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
])('a deploy of %s/%s sends nothing', async (author, model) => {
  expect((await remoteFailureOf(client().deploy(['model', author, model], body, 'x'))).kind).toBe('not-found');
  expect(requests()).toEqual([]);
});

test('special characters in a name reach no other path', async () => {
  await remoteFailureOf(client().deploy(['model', 'a/../b', '?q#%2e%2e\\'], body, 'x'));
  await remoteFailureOf(client().deploy(['recipe', '%2e%2e'], body, 'x'));
  expect(requests()).toEqual([
    'POST /api/v1/catalog/model/a%2F..%2Fb/%3Fq%23%252e%252e%5C/deploy',
    'POST /api/v1/catalog/recipe/%252e%252e/deploy',
  ]);
});

test('a deploy without a token sends nothing', async () => {
  expect((await remoteFailureOf(deploy({ token: null }))).kind).toBe('auth');
  expect(requests()).toEqual([]);
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
  [refused(400, {}), 'rejected', 'without a reason (status 400)'],
  [refused(422, { detail: 'odd' }), 'rejected', 'without a reason (status 422)'],
  [
    refused(401, { error: `Not a token: ${CATALOG_TOKEN}` }),
    'auth',
    'does not accept the saved token. The catalog service says: "Not a token: …".',
  ],
  [refused(403, { error: 'Not in your plan' }), 'auth', '"Not in your plan"'],
  [refused(404, { error: 'No such model' }), 'not-found', '"No such model"'],
  [refused(404, {}), 'not-found', 'has no such model or recipe'],
  [refused(409, { error: 'No compute' }), 'conflict', '"No compute"'],
  [refused(429, { error: 'Slowly' }), 'busy', '"Slowly"'],
  [refused(413, { error: 'Large' }), 'invalid-answer', '"Large"'],
] as const)('a deploy that is refused with %j is requested once', async (how, kind, words) => {
  service.misbehave(how);
  const failure = await remoteFailureOf(deploy());
  expect([failure.kind, failure.message]).toEqual([kind, expect.stringContaining(words)]);
  expect(failure.message).not.toContain('It is unknown');
  expect(requests()).toEqual([`POST ${deployPath}`]);
});

test('a refused deploy reports the issues of the body', async () => {
  service.misbehave(refused(400, { error: 'Bad', issues: [{ code: 'x', path: ['config', 0], message: 'is odd' }] }));
  expect((await remoteFailureOf(deploy())).issues).toEqual([{ path: ['config', 0], message: 'is odd' }]);
});

const unknown = 'It is unknown whether "poet-x1" was created. Check the service before you try again.';
test.each([
  ['no answer', { hang: true }, 'did not finish its answer', 0],
  ['a connection that breaks after it was done', { dropsAnswer: true }, 'broke', 1],
  ['an answer that breaks off', { stopAfterBytes: 10 }, 'broke', 1],
  ['an answer that falls silent', { hangAfterBytes: 10 }, 'did not finish its answer', 1],
  ['500', { status: 500 }, '"The hub is out of order"', 0],
  ['503', { status: 503, retryAfterS: 0 }, 'status 503', 0],
  ['a page of HTML', { garbage: true }, 'is not an endpoint', 0],
  ['another object', refused(200, { endpoints: [] }), 'is not an endpoint', 0],
  ['an endpoint without a name', refused(200, { endpoint: {} }), 'is not an endpoint', 0],
] as const)('a deploy that ends with %s is sent once, and its outcome is unknown', async (_, how, words, made) => {
  const clock = movableClock();
  service.misbehave(how);
  const failure = await remoteFailureOf(clock.during(deploy({ clock, deadlines: { deployMs: 10_000 } }), 100));
  expect([failure.kind, failure.message]).toEqual(['outcome-unknown', expect.stringContaining(words)]);
  expect(failure.message).toContain(unknown);
  expect(requests()).toEqual([`POST ${deployPath}`]);
  expect(service.endpoints.size).toBe(made);
});

test('a deploy aborted by the daemon’s stop has an unknown outcome', async () => {
  const closing = new AbortController();
  service.misbehave({ hang: true });
  const deploying = remoteFailureOf(deploy({ closing: closing.signal, deadlines: { deployMs: 60_000 } }));
  await vi.waitFor(() => expect(requests()).toHaveLength(1));
  closing.abort(new ShuttingDown());
  expect((await deploying).message).toBe(`The daemon is stopping. Start it again first. ${unknown}`);
});

test('a deploy that reached no service has created nothing', async () => {
  await service[Symbol.asyncDispose]();
  const failure = await remoteFailureOf(deploy());
  expect([failure.kind, failure.message]).toEqual(['unreachable', expect.stringContaining('ECONNREFUSED')]);
  expect(failure.message).not.toContain('unknown');
  service = await startFakeCatalog();
});

test('a redirect to another host is not followed, so the token does not reach it', async () => {
  await using other = await startFakeCatalog({ items: catalogSample });
  service.misbehave({ redirectTo: `${other.base}/catalog/model/ada/Poet/deploy` });
  expect((await remoteFailureOf(deploy())).message).toContain('redirects to another address');
  expect((await remoteFailureOf(client().list(null, new AbortController().signal))).message).toContain(
    'redirects to another address',
  );
  expect([service.requests.length, other.requests]).toEqual([2, []]);
});
