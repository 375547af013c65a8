/** Apps with endpoints in the real daemon: real HTTP, real Python, and a model server of the test behind the gateway. */
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import type { AppSlotState } from '../../contract/apps/app-slot.ts';
import type { AppRun } from '../../contract/apps/runs.ts';
import type { EndpointDetail } from '../../contract/endpoints/endpoint.ts';
import { CHAT, writeAppWithNeeds } from '../../testing/apps/app-with-needs.ts';
import { type CheckedDaemon, startCheckedDaemon } from '../../testing/daemon/checked-daemon.ts';
import { newDataDir } from '../../testing/daemon/test-daemon.ts';
import { type EndpointClient, endpointClient } from '../../testing/endpoints/endpoint-client.ts';
import { createOwnFileEndpoint } from '../../testing/endpoints/own-file-endpoint.ts';
import { httpModelServer, type ModelServer } from '../../testing/gateway/model-server.ts';
import { writeLinkedLlamaServer } from '../../testing/models/llama-server-standin.ts';
import { writeTinyGguf } from '../../testing/models/tiny-gguf.ts';

const chat = { namespace: 'lab', name: 'chat' };
const TALKS = '/api/apps/installed/talks';
const NEED = `${TALKS}/needs/chat`;

let dataDir: string;
let folder: string;
let checked: CheckedDaemon;
let model: ModelServer;
let token: string;
let llamaServer: string;
/** Whether the model server says that it is healthy. */
let isHealthy = true;
/** The keys that apps sent in their bodies, newest last. */
const keys: string[] = [];

const startDaemon = () => startCheckedDaemon({ dataDir, llamaServer, wakeUpOnStart: true, logLevel: 'debug' });
const start = (query = '') => checked.ask('POST', `/api/apps/start-app/talks${query}`, { token: null });
const stop = (query = '') => checked.ask('POST', `/api/apps/stop-current-app${query}`, { token: null });
const assign = (endpoint: object | null, need = 'chat') =>
  checked.ask('PUT', `${TALKS}/needs/${need}`, { body: { endpoint } });
const setMode = (value: string) =>
  checked.ask('PUT', `${TALKS}/variables/MODE`, { body: { value, secret: false }, token: null });
const endpoint = (name: string): EndpointClient => endpointClient(checked.daemon.url, token, name);
const slotNow = async (): Promise<AppSlotState> => (await checked.ask('GET', '/api/apps/slot')).body;
const untilWritten = (line: string) =>
  vi.waitFor(async () => expect(await checked.daemon.output()).toContain(line), { timeout: 20_000 });
const untilDetail = (detail: string) =>
  vi.waitFor(async () => expect(await slotNow()).toMatchObject({ detail: expect.stringContaining(detail) }));
async function lastRun(): Promise<AppRun> {
  await vi.waitFor(async () => expect((await slotNow()).state).toBe('free'), { timeout: 20_000 });
  const slot = await slotNow();
  return (slot.state === 'free' ? slot.lastRun : null) as AppRun;
}
const create = (name: string, more: object = {}) =>
  createOwnFileEndpoint(
    checked.daemon.url,
    { authorization: `Bearer ${token}` },
    {
      name,
      modelPath: join(dataDir, 'tiny.gguf'),
      model: {
        ...{ repository: `ada/${name}`, framework: 'llamacpp', task: 'text-generation' },
        image: { llamacpp: { url: 'engines/llamacpp:cpu', modelPath: join(dataDir, 'tiny.gguf') } },
      },
      ...more,
    },
  );
/** A request with a token to the address of an endpoint. */
const askEndpoint = (name: string, bearer: string, namespace = 'lab') =>
  checked.ask('GET', `/endpoints/${namespace}/${name}/v1/models`, { token: bearer });
/** The cause of the last wake in an endpoint's life. */
async function lastWake(name: string): Promise<string | undefined> {
  const { life } = (await checked.ask('GET', `/api/endpoints/lab/${name}`)).body as EndpointDetail;
  return life.findLast(({ kind }) => kind === 'waking')?.cause;
}
/** Lets the endpoint sleep, and wake only once the test says so. */
async function sleepDeeply(name = 'chat') {
  await endpoint(name).until('running');
  isHealthy = false;
  expect((await endpoint(name).command('scale-to-zero')).status).toBe(200);
  await endpoint(name).until('scaledToZero');
}

/** The lines of the daemon's log. */
const logged: string[] = [];
const stderr = vi.spyOn(process.stderr, 'write').mockImplementation((chunk) => {
  logged.push(String(chunk));
  return true;
});

beforeAll(async () => {
  model = await httpModelServer(async (request, response) => {
    if (request.url === '/health') {
      response.statusCode = isHealthy ? 200 : 503;
      response.end('{}');
      return;
    }
    if (request.url === '/v1/endless') {
      response.write('begun');
      return;
    }
    const body = await text(request);
    const { user } = body === '' ? {} : JSON.parse(body);
    if (typeof user === 'string') keys.push(user);
    response.end(JSON.stringify({ path: request.url, authorization: request.headers.authorization ?? 'none' }));
  });
  dataDir = await newDataDir();
  folder = await mkdtemp(join(tmpdir(), 'apps-with-needs-'));
  writeTinyGguf(join(dataDir, 'tiny.gguf'));
  llamaServer = await writeLinkedLlamaServer(dataDir, model.socketPath);
  checked = await startDaemon();
  token = await checked.newToken();
  for (const name of ['chat', 'other']) {
    await create(name);
    await endpoint(name).until('running');
  }
  await create('mine', { type: 'private' });
  await create('ranks', {
    model: {
      ...{ repository: 'ada/ranks', framework: 'llamacpp', task: 'text-ranking' },
      image: { llamacpp: { url: 'engines/llamacpp:cpu', modelPath: join(dataDir, 'tiny.gguf') } },
    },
  });
  const app = await writeAppWithNeeds(join(folder, 'talks'), {});
  expect(await checked.daemon.install(app)).toMatchObject({ state: 'done', failure: null });
});
afterAll(async () => {
  stderr.mockRestore();
  await checked?.[Symbol.asyncDispose]();
  await model?.stop();
  for (const each of [dataDir, folder]) await rm(each, { recursive: true, force: true });
});
afterEach(async () => {
  isHealthy = true;
  await stop('?force=true');
  await vi.waitFor(async () => expect((await slotNow()).state).toBe('free'));
  await setMode('wait');
  if ((await endpoint('chat').get()).status?.state === undefined) await create('chat');
  if ((await endpoint('chat').get()).status.state !== 'running') await endpoint('chat').command('resume');
  await endpoint('chat').until('running');
});

describe('the assignment', () => {
  test('needs a caller who may use the endpoint, and an endpoint of the task', async () => {
    const refused = async (status: number, message: string, ...options: Parameters<CheckedDaemon['ask']>) => {
      const answer = await checked.ask(...options);
      expect(answer).toMatchObject({ status, body: { error: expect.stringContaining(message) } });
    };
    const body = { endpoint: chat };
    const home = await checked.newToken({ namespaces: ['home'] });
    const scoped = await checked.newToken({ scopes: ['endpoint:lab/chat'] });
    await refused(401, 'bearer token', 'PUT', NEED, { body, token: null });
    await refused(401, 'may not deploy', 'PUT', NEED, { body, token: scoped });
    await refused(404, 'no endpoint "lab/chat" for this token', 'PUT', NEED, { body, token: home });
    await refused(404, 'no endpoint "lab/gone"', 'PUT', NEED, { body: { endpoint: { ...chat, name: 'gone' } } });
    await refused(404, 'no endpoint "home/chat"', 'PUT', NEED, { body: { endpoint: { ...chat, namespace: 'home' } } });
    await refused(404, 'has no need "talk"', 'PUT', `${TALKS}/needs/talk`, { body });
    await refused(404, 'no installed app', 'PUT', '/api/apps/installed/nobody/needs/chat', { body });
    await refused(400, 'is for text-generation, and lab/ranks serves text-ranking', 'PUT', NEED, {
      body: { endpoint: { ...chat, name: 'ranks' } },
    });
    await refused(400, 'invalid', 'PUT', NEED, { body: { endpoint: 'lab/chat' } });
    await refused(400, 'invalid', 'PUT', `${TALKS}/needs/Chat`, { body });
    expect((await checked.ask('GET', TALKS)).body.needs).toMatchObject([{ name: 'chat', endpoint: null }]);
    expect(
      (await checked.ask('PUT', NEED, { body, token: await checked.newToken({ namespaces: ['lab'] }) })).body,
    ).toEqual(
      expect.objectContaining({
        needs: [{ name: 'chat', task: 'text-generation', optional: false, endpoint: chat }],
      }),
    );
    await assign(null);
  });

  test('is refused by a start while it is missing, in one sentence with the need', async () => {
    expect(await start()).toMatchObject({
      status: 409,
      body: {
        error: `"talks" needs a model for "chat" (text-generation). Choose one on the app's page.`,
        code: 'need-unassigned',
        unmet: { appName: 'talks', need: 'chat', endpoint: null },
      },
    });
    expect((await slotNow()).state).toBe('free');
  });
});

describe('a run', () => {
  /** Starts the app and waits until it has its answer. @returns its key */
  async function running(name = 'chat'): Promise<string> {
    expect((await assign({ namespace: 'lab', name })).status).toBe(200);
    const count = keys.length;
    expect(await start()).toMatchObject({ status: 200, body: { state: 'starting', detail: null } });
    await untilWritten('up');
    expect(keys).toHaveLength(count + 1);
    return keys.at(-1) as string;
  }

  test('gets the address, the model and a key, which the model server never sees', async () => {
    await running();
    const output = await checked.daemon.output();
    const names = ['KEY', 'MODEL', 'NAME', 'URL'].map((each) => `ROBOT_ENDPOINT_CHAT_${each}`);
    expect(output).toContain(
      `needs ${JSON.stringify(['OPENAI_API_KEY', 'OPENAI_BASE_URL', 'OPENAI_MODEL', ...names]).replaceAll(',', ', ')}`,
    );
    expect(output.join('\n')).toContain('"authorization":"none"');
    expect(output.filter((line) => line === 'the key is ••••••')).toHaveLength(2);
  });

  test('has a key for its endpoint only, and for nothing else of the daemon', async () => {
    const key = await running();
    expect((await askEndpoint('chat', key)).status).toBe(200);
    expect((await askEndpoint('other', key)).status).toBe(403);
    expect((await askEndpoint('mine', key)).status).toBe(404);
    expect((await askEndpoint('chat', `${key}x`)).status).toBe(401);
    for (const [method, path, body] of [
      ['PUT', NEED, { endpoint: null }],
      ['GET', '/v2/endpoint/lab', undefined],
      ['GET', '/v2/endpoint/lab/chat', undefined],
      ['DELETE', '/v2/endpoint/lab/chat', undefined],
      ['POST', '/v2/endpoint/lab/chat/pause', undefined],
      ['GET', '/api/whoami-v2', undefined],
      ['GET', '/api/sessions', undefined],
    ] as const) {
      expect({ path, status: (await checked.ask(method, path, { token: key, body })).status }).toEqual({
        ...{ path, status: 401 },
      });
    }
    expect((await checked.ask('GET', '/api/session', { token: key })).body).toMatchObject({ signedIn: false });
    expect((await checked.ask('PUT', '/api/session', { token: null, body: { token: key } })).status).toBe(401);
  });

  test('may use a private endpoint that its user assigned', async () => {
    await endpoint('mine').until('running');
    const key = await running('mine');
    expect((await askEndpoint('mine', key)).status).toBe(200);
    await stop();
    expect((await askEndpoint('mine', key)).status).toBe(401);
  });

  test('has a key that is nowhere to be read', async () => {
    const leaving = new AbortController();
    const events = await fetch(`${checked.daemon.url}/api/events`, { signal: leaving.signal });
    let seen = '';
    const watching = (async () => {
      for await (const chunk of events.body?.pipeThrough(new TextDecoderStream()) ?? []) seen += chunk;
    })().catch(() => {});
    const key = await running();
    expect(key).toMatch(/^rd_run_[\w-]{43}$/);
    const slot = await slotNow();
    const runId = slot.state !== 'free' && slot.holder.kind === 'managed-app' ? slot.holder.runId : '';
    const read = async () => {
      const paths = [
        ...['/api/apps/slot', '/api/apps/output', '/api/apps/list', '/api/apps/runs', '/api/apps/crashes', TALKS],
        ...[`/api/apps/runs/${runId}/output`, `/api/apps/runs/${runId}/output/file`, `${TALKS}/variables`],
        ...['/api/endpoints', '/api/endpoints/lab/chat/log', '/v2/endpoint/lab', '/api/daemon/status', '/api/jobs'],
      ];
      const answers = await Promise.all(paths.map((path) => checked.ask('GET', path)));
      return answers.map((answer) => answer.text).join('\n');
    };
    const whileRunning = await read();
    const processes = await commandLines();
    expect(processes).toContain('-m\0talks.main');
    for (const pid of await checked.daemon.children()) {
      const mode = (await stat(`/proc/${pid}/environ`)).mode & 0o077;
      expect(mode).toBe(0);
    }
    await setMode('crash');
    await checked.ask('POST', '/api/apps/restart-current-app', { token: null });
    expect(await lastRun()).toMatchObject({ outcome: 'crashed', message: expect.stringContaining('the key was') });
    const second = keys.at(-1) as string;
    expect(second).not.toBe(key);
    const afterwards = await read();
    const last = await lastRun();
    const crashed = await checked.ask('GET', `/api/apps/runs/${last.runId}/output`);
    leaving.abort();
    await watching;
    expect(seen).toContain('the key is ••••••');
    expect(seen).toContain('app-run.ended');
    expect(logged.join('')).toContain('started talks');
    for (const secret of [key, second]) {
      const half = secret.slice(0, 30); // also not in part
      expect(whileRunning + afterwards + crashed.text).not.toContain(half);
      expect(seen).not.toContain(half);
      expect(logged.join('')).not.toContain(half);
      expect(processes + (await commandLines())).not.toContain(half);
      expect(await filesWith(dataDir, half)).toEqual([]);
    }
  });

  test.each([
    ['is stopped', () => stop()],
    ['is killed', () => stop('?force=true')],
    ['is restarted', () => checked.ask('POST', '/api/apps/restart-current-app', { token: null })],
  ])('has a key that ends when it %s', async (_how, end) => {
    const key = await running();
    expect((await askEndpoint('chat', key)).status).toBe(200);
    expect((await end()).status).toBe(200);
    expect((await askEndpoint('chat', key)).status).toBe(401);
  });

  test('has a key whose requests are cut when it ends, also one that still waits', async () => {
    const key = await running();
    const headers = { authorization: `Bearer ${key}`, connection: 'close' };
    const stream = await fetch(`${checked.daemon.url}/endpoints/lab/chat/v1/endless`, { headers });
    const reader = (stream.body as ReadableStream<Uint8Array>).getReader();
    expect(Buffer.from((await reader.read()).value ?? []).toString()).toBe('begun');
    const isCut = expect(reader.read()).rejects.toThrow();
    await stop();
    await isCut;
    const again = await running();
    await sleepDeeply();
    const waiting = fetch(`${checked.daemon.url}/endpoints/lab/chat/v1/models`, {
      headers: { ...headers, authorization: `Bearer ${again}` },
    });
    const isRefused = expect(waiting).rejects.toThrow();
    await endpoint('chat').until('initializing');
    await stop();
    await isRefused;
  });

  test('has a key that ends when it crashes', async () => {
    await assign(chat);
    await setMode('crash');
    await start();
    expect(await lastRun()).toMatchObject({ outcome: 'crashed' });
    expect((await askEndpoint('chat', keys.at(-1) as string)).status).toBe(401);
  });

  test('that loses its endpoint is diagnosed with it, and its assignment shows what was deleted', async () => {
    await assign(chat);
    await setMode('ask');
    await start();
    await vi.waitFor(() => expect(keys.length).toBeGreaterThan(0));
    expect((await endpoint('chat').remove()).status).toBe(200);
    expect(await lastRun()).toMatchObject({
      outcome: 'crashed',
      diagnosis: {
        cause: 'endpoint-failed',
        message: 'The endpoint lab/chat, which it uses for "chat", is not ready. It was deleted.',
        endpoint: chat,
      },
    });
    expect((await checked.ask('GET', TALKS)).body.needs).toMatchObject([{ endpoint: chat }]);
    expect(await start()).toMatchObject({ status: 409, body: { code: 'endpoint-missing', unmet: { endpoint: chat } } });
    await create('chat');
    await endpoint('chat').until('running');
    await setMode('wait');
    expect((await start()).status).toBe(200);
  });
});

describe('an endpoint that sleeps', () => {
  test('wakes as a part of the start, which was answered at once; then the app runs', async () => {
    await assign(chat);
    await sleepDeeply();
    const askedAt = performance.now();
    expect(await start()).toMatchObject({
      status: 200,
      body: { state: 'starting', detail: expect.stringContaining('Waking lab/chat.'), until: expect.any(String) },
    });
    expect(performance.now() - askedAt).toBeLessThan(2_000);
    await untilDetail('Waking lab/chat. Loading the model.');
    expect((await endpoint('chat').own()).report.isWaking).toBe(true);
    isHealthy = true;
    await untilWritten('up');
    expect((await slotNow()).state).toBe('running');
    expect(await lastWake('chat')).toBe('The start of the app talks woke it.');
  });

  test.each(['chat', 'open'])('is woken by a request of the running app, which its life names: %s', async (name) => {
    if (name === 'open') await create(name, { type: 'public' });
    await endpoint(name).until('running');
    await assign({ ...chat, name });
    await start();
    await untilWritten('up');
    await endpoint(name).command('scale-to-zero');
    await endpoint(name).until('scaledToZero');
    expect((await askEndpoint(name, keys.at(-1) as string)).status).toBe(200);
    expect(await lastWake(name)).toBe('The app talks woke it.');
  });

  test('is left alone by a stop, which frees the slot at once', async () => {
    await assign(chat);
    await sleepDeeply();
    await start();
    await untilDetail('Loading the model.');
    const askedAt = performance.now();
    expect(await stop()).toMatchObject({
      body: { state: 'free', lastRun: { outcome: 'stopped', message: 'Stopped before it had started.' } },
    });
    expect(performance.now() - askedAt).toBeLessThan(2_000);
    expect((await endpoint('chat').get()).status.state).toBe('initializing');
    isHealthy = true;
    await endpoint('chat').until('running');
    expect((await slotNow()).state).toBe('free');
  });

  test.each([
    ['is paused', (one: EndpointClient) => one.command('pause'), '"chat" is paused. Resume it to use it.'],
    ['is deleted', (one: EndpointClient) => one.remove(), '"chat" is being deleted.'],
  ])('%s meanwhile: the run has failed, and says why', async (_how, change, reason) => {
    await assign(chat);
    await sleepDeeply();
    await start();
    await untilDetail('Loading the model.');
    expect((await change(endpoint('chat'))).status).toBe(200);
    const message = `The endpoint lab/chat, which it uses for "chat", did not become ready. ${reason}`;
    const run = await lastRun();
    expect(run).toMatchObject({ outcome: 'crashed', message, diagnosis: { cause: 'endpoint-failed', endpoint: chat } });
    expect((await checked.ask('GET', '/api/apps/crashes')).body).toMatchObject([{ run: { runId: run.runId } }]);
    expect((await start()).body.code).toMatch(/^endpoint-(paused|missing)$/);
  });

  test('cannot be woken because its model is gone: the run and the next start say so', async () => {
    const modelPath = writeTinyGguf(join(dataDir, 'fragile.gguf'));
    await create('fragile', {
      model: {
        ...{ repository: 'ada/fragile', framework: 'llamacpp', task: 'text-generation' },
        image: { llamacpp: { url: 'engines/llamacpp:cpu', modelPath } },
      },
    });
    await endpoint('fragile').until('running');
    await endpoint('fragile').command('scale-to-zero');
    await endpoint('fragile').until('scaledToZero');
    await rm(modelPath);
    await assign({ ...chat, name: 'fragile' });
    expect((await start()).status).toBe(200);
    const run = await lastRun();
    expect(run).toMatchObject({ outcome: 'crashed', diagnosis: { cause: 'endpoint-failed' } });
    expect(run.message).toContain('The endpoint lab/fragile, which it uses for "chat", did not become ready.');
    expect(run.message).toContain('fragile.gguf');
    expect(await start()).toMatchObject({
      status: 409,
      body: { code: 'endpoint-failed', error: expect.stringContaining('fragile.gguf') },
    });
  });
});

const install = async (version: string, needs: readonly string[]) => {
  const app = await writeAppWithNeeds(join(folder, 'talks'), { version, needs });
  expect(await checked.daemon.install(app)).toMatchObject({ state: 'done' });
};

describe('another version of the app', () => {
  const needs = async () => {
    const app = (await checked.ask('GET', TALKS)).body;
    return app.needs.map((need: { name: string; endpoint: { name: string } | null }) => [
      need.name,
      need.endpoint?.name ?? null,
    ]);
  };

  test('keeps the assignments of its needs over an update, a rename and a rollback', async () => {
    await assign(chat);
    await install('2.0.0', [CHAT, 'talk = { task = "text-generation", optional = true }']);
    expect(await needs()).toEqual([
      ['chat', 'chat'],
      ['talk', null],
    ]);
    expect((await start()).status).toBe(200);
    await stop();
    await assign({ ...chat, name: 'other' }, 'talk');
    await install('3.0.0', ['talk = { task = "text-generation" }']);
    expect(await needs()).toEqual([['talk', 'other']]);
    expect((await checked.ask('POST', `${TALKS}/rollback`)).status).toBe(200);
    expect(await needs()).toEqual([
      ['chat', 'chat'],
      ['talk', 'other'],
    ]);
    await install('4.0.0', [CHAT]);
  });

  test('is refused at its install if a need is written wrongly, and the earlier one stays', async () => {
    const app = await writeAppWithNeeds(join(folder, 'talks'), {
      version: '5.0.0',
      needs: ['chat = { task = "text-generatoin" }', 'Big = { task = "text-generation" }'],
    });
    const { state, failure } = await checked.daemon.install(app);
    expect(state).toBe('failed');
    expect(failure).toMatchObject({ reason: 'not-an-app' });
    expect(failure?.message).toContain('wants the task "text-generatoin", which does not exist.');
    expect(failure?.message).toContain('"Big" is not a valid name.');
    expect((await checked.ask('GET', TALKS)).body.version).toBe('4.0.0');
    await writeAppWithNeeds(join(folder, 'talks'), { version: '4.0.0' });
  });
});

test('an optional need without an endpoint sets no variable', async () => {
  const app = await writeAppWithNeeds(join(folder, 'maybe'), {
    name: 'maybe',
    needs: ['chat = { task = "text-generation", optional = true }'],
  });
  expect(await checked.daemon.install(app)).toMatchObject({ state: 'done' });
  expect(await checked.ask('POST', '/api/apps/start-app/maybe')).toMatchObject({ status: 200 });
  await untilWritten('up');
  expect(await checked.daemon.output()).toContain('needs []');
});

test('a key ends with the daemon', async () => {
  await install('5.0.0', [CHAT]);
  await assign(chat);
  const count = keys.length;
  await start();
  await untilWritten('up');
  expect(keys).toHaveLength(count + 1);
  await checked.daemon.stop();
  checked = await startDaemon();
  token = await checked.newToken();
  expect((await askEndpoint('chat', keys.at(-1) as string)).status).toBe(401);
});

/** The command lines of all processes of this machine. */
async function commandLines(): Promise<string> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const lines = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')));
  return lines.join('\n');
}

/** The files below a folder that contain a text; the shared folders of installs are left out. */
async function filesWith(root: string, searched: string): Promise<string[]> {
  const found: string[] = [];
  const look = async (path: string): Promise<void> => {
    for (const entry of await readdir(path, { withFileTypes: true })) {
      const each = join(path, entry.name);
      if (entry.isDirectory() && entry.name !== 'envs') await look(each);
      else if (entry.isFile() && (await readFile(each)).includes(searched)) found.push(each);
    }
  };
  await look(root);
  return found;
}
