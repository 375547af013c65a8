/** The life of endpoints on this machine, with each program that serves models: real processes, a hub for tests. */
import { truncateSync, writeFileSync } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Hardware } from '../contract/compute/hardware.ts';
import type { EndpointDetail } from '../contract/endpoints/endpoint.ts';
import type { EndpointHistory } from '../contract/endpoints/endpoint-history.ts';
import type { EndpointLog, EndpointLogFile } from '../contract/endpoints/endpoint-log.ts';
import { startCheckedDaemon } from '../testing/daemon/checked-daemon.ts';
import { newDataDir } from '../testing/daemon/test-daemon.ts';
import { type EndpointClient, endpointClient } from '../testing/endpoints/endpoint-client.ts';
import { ownFileRequest } from '../testing/endpoints/own-file-endpoint.ts';
import { type FakeHub, startFakeHub } from '../testing/fake-hub.ts';
import { llamaServerForTests, NO_LLAMA_SERVER } from '../testing/models/llama-server-program.ts';
import { writeSmallCatalog } from '../testing/models/small-catalog.ts';
import { tinyGguf, writeTinyGguf } from '../testing/models/tiny-gguf.ts';

const llamaServer = await llamaServerForTests();
const model = tinyGguf();
let hub: FakeHub;

beforeAll(async () => {
  hub = await startFakeHub();
  await hub.addModel({ id: 'ada/Tiny-GGUF', files: { 'tiny-q4.gguf': { lfs: model }, 'README.md': '# Tiny' } });
});
afterAll(() => hub?.[Symbol.asyncDispose]());

describe.each([
  { program: 'the bundled runner', label: /^bundled llama\.cpp/, options: { llamaServer: 'none' } },
  { program: 'llama-server', label: /^llama-server/, options: { llamaServer } },
])('with $program', ({ program, label, options }) => {
  const isMissing = program === 'llama-server' && llamaServer === null;
  let dataDir: string;
  let checked: Awaited<ReturnType<typeof startCheckedDaemon>>;
  let token: string;
  let hardware: Hardware;

  beforeAll(async () => {
    if (isMissing) return;
    dataDir = await newDataDir();
    const catalogFile = await writeSmallCatalog(dataDir);
    checked = await startCheckedDaemon({ dataDir, catalogFile, hubUrl: hub.url, ...options });
    token = await checked.newToken();
    hardware = (await checked.ask('GET', '/v2/provider/lab')).body as Hardware;
  });
  afterAll(async () => {
    if (isMissing) return;
    await checked?.[Symbol.asyncDispose]();
    await rm(dataDir, { recursive: true, force: true });
  });

  const client = (name: string) => endpointClient(checked.daemon.url, token, name);
  const deployed = async (name: string, scaling: object = {}): Promise<EndpointClient> => {
    const body = { namespace: 'lab', config: { name, scaling } };
    const reply = await checked.ask('POST', '/api/v1/catalog/recipe/tiny-q4/deploy', { body });
    expect(reply).toMatchObject({ status: 200, body: { endpoint: { status: { url: expect.any(String) } } } });
    return client(name);
  };
  const withOwnFile = async (name: string, modelPath: string, more: object = {}): Promise<EndpointClient> => {
    const body = ownFileRequest(name, modelPath, hardware, more);
    expect(await checked.ask('POST', '/v2/endpoint/lab', { body })).toMatchObject({ status: 200 });
    return client(name);
  };
  const failed = async (endpoint: EndpointClient) => {
    await expect(endpoint.until('running')).rejects.toThrow(/is failed/);
    const {
      report,
      endpoint: { status },
    } = await endpoint.own();
    expect(status.errorMessage).toBe(`${report.failure?.message} ${report.failure?.action}`);
    return report.failure;
  };

  test.skipIf(isMissing)(
    `deploy, download, chat, sleep, wake, pause, resume, delete${isMissing ? `: ${NO_LLAMA_SERVER}` : ''}`,
    { tags: ['smoke'], timeout: 60_000 },
    async () => {
      const endpoint = await deployed('whole', { scaleToZeroTimeout: 1 });
      const running = await endpoint.until('running');
      expect(running.status).toMatchObject({ message: 'Ready.', readyReplica: 1, targetReplica: 1 });
      const { report, memory } = await endpoint.own();
      // The estimate for its weights and four slots of 4,096 tokens of 256 bytes each.
      expect(memory).toEqual({ estimatedBytes: 400_000 + 772 * 1024 ** 2, usedBytes: expect.any(Number) });
      expect(report).toMatchObject({ runtime: expect.stringMatching(label), progress: null, failure: null });
      expect(report.replicas).toMatchObject([
        { pid: expect.any(Number), container: null, state: 'ready', requests: 0, memoryBytes: expect.any(Number) },
      ]);

      const streamed = await endpoint.chat({ stream: true });
      expect(streamed.headers.get('content-type')).toContain('text/event-stream');
      const events = (await streamed.text()).split('\n\n').filter((event) => event !== '');
      expect(events.length).toBeGreaterThan(2);
      expect(events.at(-1)).toBe('data: [DONE]');
      expect(await (await endpoint.ask('/v1/models')).json()).toMatchObject({ data: [{ id: 'ada/Tiny-GGUF' }] });
      expect((await endpoint.ask('/v1/models', { headers: { authorization: '' } })).status).toBe(401);

      expect((await endpoint.command('scale-to-zero')).status).toBe(200);
      await endpoint.until('scaledToZero');
      expect((await endpoint.ask('/health')).status).toBe(503);
      expect((await endpoint.get()).status.state).toBe('scaledToZero'); // asking for its health does not wake it
      expect((await endpoint.chat()).status).toBe(200);
      await endpoint.until('running');

      expect((await endpoint.command('pause')).status).toBe(200);
      expect((await endpoint.chat()).status).toBe(503);
      expect((await endpoint.command('resume')).status).toBe(200);
      await endpoint.until('running');
      expect((await endpoint.ask('/health')).status).toBe(200);

      const { life } = (await checked.ask('GET', '/api/endpoints/lab/whole')).body as EndpointDetail;
      expect(life.map(({ kind }) => kind)).toEqual([
        ...['created', 'ready', 'asleep', 'waking', 'ready', 'paused', 'starting', 'ready'],
      ]);
      expect(life[3]?.cause).toMatch(/^A request with the token “.+” woke it\.$/);
      const history = (await checked.ask('GET', '/api/endpoints/lab/whole/history')).body as EndpointHistory;
      expect(history.samples.reduce((sum, { requests }) => sum + requests, 0)).toBeGreaterThanOrEqual(3);
      const log = (await checked.ask('GET', '/api/endpoints/lab/whole/log')).body as EndpointLog;
      expect(log.lines.map(({ number }) => number)).toEqual(log.lines.map((_, index) => index + log.firstKept));
      const rest = (await checked.ask('GET', `/api/endpoints/lab/whole/log?after=${log.last - 1}`)).body as EndpointLog;
      expect(rest.lines).toEqual(log.lines.slice(-1));
      const file = (await checked.ask('GET', '/api/endpoints/lab/whole/log/file')).body as EndpointLogFile;
      expect(file.text.split('\n').length).toBeGreaterThan(log.lines.length);
      expect((await checked.ask('GET', '/api/endpoints/other/whole')).status).toBe(404);
      expect((await checked.ask('GET', '/api/endpoints/lab/whole/log', { token: null })).status).toBe(401);

      const before = await checked.daemon.children();
      expect(before.length).toBeGreaterThan(0);
      expect((await endpoint.remove()).status).toBe(200);
      expect(await checked.daemon.children()).toEqual([]);
      expect((await endpoint.chat()).status).toBe(404);
    },
  );

  test.skipIf(isMissing)('an endpoint without use sleeps, and wakes without a request to the hub', async () => {
    const before = hub.requests.length;
    const endpoint = await deployed('sleepy', { scaleToZeroTimeout: 0 });
    await endpoint.until('scaledToZero');
    const paths = (from: number) => hub.requests.slice(from).map(({ path }) => path);
    expect(paths(before).filter((path) => path.includes('/resolve/'))).toEqual([]); // it is on the disk already
    const asleep = hub.requests.length;
    expect((await endpoint.chat()).status).toBe(200);
    expect(paths(asleep)).toEqual([]);
    await endpoint.remove();
  });

  test.skipIf(isMissing)('a server killed under load loses no request that it had not begun to answer', async () => {
    const file = writeTinyGguf(join(dataDir, 'load.gguf'));
    const endpoint = await withOwnFile('load', file);
    await endpoint.until('running');
    const [replica] = (await endpoint.own()).report.replicas;
    const asked = Array.from({ length: 12 }, () => endpoint.chat({ max_tokens: 64 }).then(answerOf, () => 'broken'));
    await sleep(30);
    process.kill(replica?.pid ?? 0, 'SIGKILL');
    const answers = await Promise.all(asked);
    // One that had begun ends broken; each of the others has its whole answer from the next process.
    expect(answers.filter((answer) => answer !== 'whole' && answer !== 'broken')).toEqual([]);
    expect(answers.filter((answer) => answer === 'whole').length).toBeGreaterThan(0);
    await endpoint.until('running');
    expect((await endpoint.own()).report.replicas[0]?.pid).not.toBe(replica?.pid);
    await endpoint.remove();
  });

  test.skipIf(isMissing)('files that are no models fail with their cause and an action', async () => {
    const cut = writeTinyGguf(join(dataDir, 'cut.gguf'));
    truncateSync(cut, 300_000);
    const text = join(dataDir, 'text.gguf');
    writeFileSync(text, '<!doctype html>');
    const cases = [
      ['cut', cut, 'model-damaged'],
      ['text', text, 'model-damaged'],
      ['none', join(dataDir, 'none.gguf'), 'model-missing'],
    ] as const;
    for (const [name, path, reason] of cases) {
      const endpoint = await withOwnFile(name, path);
      expect(await failed(endpoint), name).toMatchObject({ reason, action: expect.stringMatching(/\.$/) });
      expect((await endpoint.chat()).status).toBe(503);
      await endpoint.remove();
    }
  });

  test.skipIf(isMissing)('a file that is repaired serves after a resume', async () => {
    const file = writeTinyGguf(join(dataDir, 'repaired.gguf'));
    const { size } = await stat(file);
    truncateSync(file, size / 2);
    const endpoint = await withOwnFile('repaired', file);
    await failed(endpoint);
    writeTinyGguf(file);
    expect((await endpoint.command('resume')).status).toBe(200);
    await endpoint.until('running');
    expect((await endpoint.own()).report.failure).toBeNull();
    await endpoint.remove();
  });

  test.skipIf(isMissing)('a model without a chat template chats once its owner has chosen one', async () => {
    const file = writeTinyGguf(join(dataDir, 'base.gguf'), { chatTemplate: null });
    const endpoint = await withOwnFile('base', file);
    await endpoint.until('running');
    const refused = await endpoint.chat();
    expect([refused.status, await refused.json()]).toMatchObject([400, { error: { code: 'no_chat_template' } }]);
    const text = { method: 'POST', body: JSON.stringify({ prompt: 'Once', max_tokens: 4 }) };
    expect(await answerOf(await endpoint.ask('/v1/completions', text))).toBe('whole');
    const { image } = ownFileRequest('base', file, hardware, { chatTemplate: 'llama3' }).model;
    const changed = await checked.ask('PUT', '/v2/endpoint/lab/base', { body: { model: { image } } });
    expect(changed).toMatchObject({ status: 200, body: { model: { image } } });
    await endpoint.until('running');
    expect(await answerOf(await endpoint.chat())).toBe('whole');
    await endpoint.remove();
  });

  test.skipIf(isMissing)('embeddings need no pooling in the file', async () => {
    const file = writeTinyGguf(join(dataDir, 'embed.gguf'));
    const endpoint = await withOwnFile('embed', file, { mode: 'embeddings', healthRoute: '/ready' });
    await endpoint.until('running');
    expect((await endpoint.ask('/ready')).status).toBe(200); // clients poll the route that the endpoint names
    const reply = await endpoint.ask('/v1/embeddings', { method: 'POST', body: JSON.stringify({ input: ['a', 'b'] }) });
    const { data } = (await reply.json()) as { data: { embedding: number[] }[] };
    expect(data.map(({ embedding }) => embedding.length)).toEqual([64, 64]);
    await endpoint.remove();
  });
});

async function answerOf(response: Response): Promise<string> {
  const body = (await response.json()) as { choices?: { finish_reason: string }[] };
  return body.choices?.[0]?.finish_reason ? 'whole' : `${response.status} ${JSON.stringify(body)}`;
}
