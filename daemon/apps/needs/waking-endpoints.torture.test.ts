/** Apps whose endpoints wake: with a real model, after a kill of its server, of the daemon, and where waking costs money. */
import { mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { AccessTokens } from '../../access/access-tokens.ts';
import { daemonAt } from '../../client/node/daemon-at.ts';
import { install } from '../../client/node/install.ts';
import type { AppRun } from '../../contract/apps/runs.ts';
import type { EndpointDetail } from '../../contract/endpoints/endpoint.ts';
import { systemNow } from '../../shared/clock.ts';
import { createLogger } from '../../shared/logger.ts';
import { writeAppWithNeeds } from '../../testing/apps/app-with-needs.ts';
import { type CheckedDaemon, startCheckedDaemon } from '../../testing/daemon/checked-daemon.ts';
import { startDaemonProcess } from '../../testing/daemon/daemon-process.ts';
import { newDataDir, type TestDaemon } from '../../testing/daemon/test-daemon.ts';
import { endpointClient } from '../../testing/endpoints/endpoint-client.ts';
import { createOwnFileEndpoint } from '../../testing/endpoints/own-file-endpoint.ts';
import { READABLE_SEED, startTinyModelsDaemon } from '../../testing/endpoints/tiny-models-daemon.ts';
import { llamaServerForTests } from '../../testing/models/llama-server-program.ts';
import { writeStuckLlamaServer } from '../../testing/models/llama-server-standin.ts';
import { writeTinyGguf } from '../../testing/models/tiny-gguf.ts';

const llamaServer = (await llamaServerForTests()) ?? 'none'; // else the bundled runner serves the model
const LIMIT = { timeout: 60_000, interval: 50 };
const chat = { namespace: 'lab', name: 'chat' };
const NEED = '/api/apps/installed/talks/needs/chat';

let sources: string;
beforeAll(async () => {
  sources = await mkdtemp(join(tmpdir(), 'waking-'));
  await writeAppWithNeeds(join(sources, 'talks'), {});
});
afterAll(() => rm(sources, { recursive: true, force: true }));

const installTalks = async (daemon: TestDaemon) =>
  expect(await daemon.install(join(sources, 'talks'))).toMatchObject({ state: 'done', failure: null });
/** The model of an endpoint `chat` for text generation. */
const chatModel = (modelPath: string) => ({
  ...{ repository: 'ada/chat', framework: 'llamacpp' as const, task: 'text-generation' as const },
  image: { llamacpp: { url: 'engines/llamacpp:cpu', modelPath } },
});
async function lastRun(daemon: Pick<TestDaemon, 'slot'>): Promise<AppRun> {
  await vi.waitFor(async () => expect((await daemon.slot()).state).toBe('free'), LIMIT);
  const slot = await daemon.slot();
  return (slot.state === 'free' ? slot.lastRun : null) as AppRun;
}

test('an app talks to a real model that slept; it is killed for good, the app says so; repaired, it works again', async () => {
  await using tiny = await startTinyModelsDaemon({ llamaServer });
  const { daemon } = tiny.checked;
  const ask: CheckedDaemon['ask'] = (...request) => tiny.checked.ask(...request);
  await installTalks(daemon);
  const modelPath = join(daemon.dataDir, 'chat.gguf');
  const endpoint = await tiny.serve('chat', { parts: { model: chatModel(modelPath) } });
  await endpoint.command('scale-to-zero');
  await endpoint.until('scaledToZero');
  expect(await ask('PUT', NEED, { body: { endpoint: chat } })).toMatchObject({ status: 200 });
  const variable = (value: string) =>
    ask('PUT', '/api/apps/installed/talks/variables/MODE', { body: { value, secret: false } });
  const talks = async () => {
    expect(await ask('POST', '/api/apps/start-app/talks')).toMatchObject({ status: 200, body: { state: 'starting' } });
    await vi.waitFor(
      async () => expect((await daemon.output()).join('\n')).toMatch(/^answer \(200, .*(?:chatcmpl|choices)/m),
      LIMIT,
    );
  };
  await variable('ask');
  await talks();
  expect(await daemon.slot()).toMatchObject({ holder: { appName: 'talks' } });

  await rename(modelPath, `${modelPath}.aside`);
  const [replica] = (await endpoint.own()).report.replicas;
  process.kill(replica?.pid ?? 0, 'SIGKILL');
  expect(await lastRun(daemon)).toMatchObject({
    outcome: 'crashed',
    diagnosis: {
      cause: 'endpoint-failed',
      message: expect.stringContaining('The endpoint lab/chat, which it uses for "chat",'),
      action: expect.stringContaining('Check the endpoint lab/chat'),
      endpoint: chat,
    },
  });
  await vi.waitFor(async () => expect((await endpoint.get()).status.state).toBe('failed'), LIMIT);
  expect(await ask('POST', '/api/apps/start-app/talks')).toMatchObject({
    status: 409,
    body: { code: 'endpoint-failed' },
  });

  await rename(`${modelPath}.aside`, modelPath);
  expect((await endpoint.command('resume')).status).toBe(200);
  await talks(); // it waits for the resumed endpoint
  await ask('POST', '/api/apps/stop-current-app?force=true');
  expect((await endpoint.get()).status.state).toBe('running');
});

test('a daemon that is killed while an endpoint wakes leaves the slot free, and the app starts again', async () => {
  const dataDir = await newDataDir();
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  const options = ['--llama-server', await writeStuckLlamaServer(dataDir)]; // its endpoints never become ready
  let daemon = await startDaemonProcess(dataDir, options);
  onTestFinished(() => daemon.kill());
  const token = await newToken(dataDir);
  let client = daemonAt(daemon.url, { token, deadlineMs: null });
  expect(await install(client, join(sources, 'talks'))).toMatchObject({ state: 'done' });
  const headers = { authorization: `Bearer ${token}` };
  const modelPath = writeTinyGguf(join(dataDir, 'tiny.gguf'));
  await createOwnFileEndpoint(daemon.url, headers, { name: 'chat', modelPath, model: chatModel(modelPath) });
  const params = { appName: 'talks' };
  await client.call('assignEndpoint', { params: { ...params, need: 'chat' }, body: { endpoint: chat } });
  const waits = async () => {
    expect(await client.call('startApp', { params })).toMatchObject({
      ...{ state: 'starting', detail: expect.stringContaining('Waiting for lab/chat.') },
    });
    const loading = { state: 'starting', detail: 'Waiting for lab/chat. Loading the model.' };
    await vi.waitFor(async () => expect(await client.call('getAppSlot')).toMatchObject(loading), LIMIT);
  };
  await waits();
  await daemon.kill();

  daemon = await startDaemonProcess(dataDir, options);
  client = daemonAt(daemon.url, { token, deadlineMs: null });
  expect(await client.call('getAppSlot')).toEqual({ state: 'free', lastRun: null });
  expect(await client.call('listRuns')).toEqual([]); // it had not begun
  expect((await client.call('getApp', { params })).needs).toMatchObject([{ endpoint: chat }]);
  await waits();
  expect(await client.call('stopCurrentApp')).toMatchObject({
    ...{ state: 'free', lastRun: { outcome: 'stopped', message: 'Stopped before it had started.' } },
  });
  await waits();
  daemon.process.kill('SIGTERM');
  expect(await daemon.exited).toBe(0);
  expect(await daemon.children()).toEqual([]);
});

test('an endpoint that costs money is woken after a confirmation only, and never by an antenna', async () => {
  const dataDir = await newDataDir();
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  const modelPath = writeTinyGguf(join(dataDir, 'tiny.gguf'), { seed: READABLE_SEED });
  {
    await using checked = await startCheckedDaemon({ dataDir, llamaServer });
    await installTalks(checked.daemon);
    const token = await checked.newToken();
    const headers = { authorization: `Bearer ${token}` };
    await createOwnFileEndpoint(checked.daemon.url, headers, { name: 'chat', modelPath, model: chatModel(modelPath) });
    const endpoint = endpointClient(checked.daemon.url, token, 'chat');
    await endpoint.until('running', 60_000);
    await endpoint.command('scale-to-zero');
    await checked.ask('PUT', NEED, { body: { endpoint: chat } });
    await checked.ask('PUT', '/api/apps/startup-app', { body: { startupApp: 'talks' } });
  }
  // No account of a provider can be configured yet: its record is written instead.
  const [file = ''] = (await readdir(join(dataDir, 'endpoints'))).filter((name) => name.endsWith('.json'));
  const path = join(dataDir, 'endpoints', file);
  const record = JSON.parse(await readFile(path, 'utf8'));
  record.endpoint.provider = { vendor: 'aws', region: 'us-east-1' };
  record.endpoint.compute.id = 'aws-us-east-1-intel-spr-x4';
  await writeFile(path, JSON.stringify(record));

  await using checked = await startCheckedDaemon({ dataDir, llamaServer });
  const { daemon } = checked;
  const ask: CheckedDaemon['ask'] = (...request) => checked.ask(...request);
  const endpoint = endpointClient(daemon.url, await checked.newToken(), 'chat');
  await endpoint.until('scaledToZero');
  expect(await ask('POST', '/api/apps/start-app/talks')).toMatchObject({
    status: 409,
    body: {
      error: expect.stringMatching(
        /^The start of "talks" would wake lab\/chat, which costs \$0\.\d\d an hour\. As long as the app runs, it may wake lab\/chat again\. Confirm/,
      ),
      code: 'endpoint-paid',
      unmet: { appName: 'talks', need: 'chat', endpoint: chat },
    },
  });
  const logged = vi.spyOn(process.stderr, 'write').mockImplementation(() => true);
  onTestFinished(() => logged.mockRestore());
  await sleep(1_500); // its antennas have to rest for a second before a push is one
  await ask('POST', '/api/robot/simulation/touch');
  await vi.waitFor(async () => expect(await daemon.robot()).toMatchObject({ state: 'awake' }), LIMIT);
  await sleep(500);
  expect(await daemon.slot()).toEqual({ state: 'free', lastRun: null });
  expect((await endpoint.get()).status.state).toBe('scaledToZero');

  expect(await ask('POST', '/api/apps/start-app/talks?wakePaid=true')).toMatchObject({
    ...{ status: 200, body: { state: 'starting', detail: expect.stringContaining('Waking lab/chat.') } },
  });
  // The confirmation is for the whole run: a request of the app wakes the endpoint again.
  await ask('PUT', '/api/apps/installed/talks/variables/MODE', { body: { value: 'ask', secret: false } });
  await ask('POST', '/api/apps/stop-current-app?force=true');
  await ask('POST', '/api/apps/start-app/talks?wakePaid=true');
  const asks = () => vi.waitFor(async () => expect((await daemon.output()).join('\n')).toContain('answer (200'), LIMIT);
  const wakes = async () =>
    ((await ask('GET', '/api/endpoints/lab/chat')).body as EndpointDetail).life.filter(({ kind }) => kind === 'waking');
  await asks();
  const before = (await wakes()).length;
  await endpoint.command('scale-to-zero');
  await vi.waitFor(async () => expect((await wakes()).length).toBeGreaterThan(before), LIMIT);
  expect((await wakes()).at(-1)?.cause).toBe('The app talks woke it.');
  await endpoint.until('running', 60_000);
  expect(await daemon.slot()).toMatchObject({ state: 'running' });

  // A start that had nothing to wake was not confirmed: its requests wake nothing that costs money.
  await ask('POST', '/api/apps/stop-current-app?force=true');
  expect(await ask('POST', '/api/apps/start-app/talks')).toMatchObject({ status: 200 });
  await asks();
  const count = (await wakes()).length;
  await endpoint.command('scale-to-zero');
  expect(await lastRun(daemon)).toMatchObject({
    outcome: 'crashed',
    diagnosis: {
      cause: 'endpoint-failed',
      message: expect.stringMatching(/It is asleep, and costs \$0\.\d\d an hour, which was not confirmed/),
      endpoint: chat,
    },
  });
  expect([(await endpoint.get()).status.state, (await wakes()).length]).toEqual(['scaledToZero', count]);
});

/** A token that may deploy, for the daemon on a data folder. */
async function newToken(dataDir: string): Promise<string> {
  const tokens = new AccessTokens(join(dataDir, 'tokens.json'), { log: createLogger('error'), now: systemNow });
  return (await tokens.create({ name: null, scopes: ['deploy'], namespaces: null })).text;
}
