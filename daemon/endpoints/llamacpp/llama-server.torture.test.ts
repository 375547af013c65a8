import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'undici';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { chatTemplates } from '../../contract/endpoints/chat-template.ts';
import type { EndpointImage } from '../../contract/endpoints/endpoint-image.ts';
import { systemClock } from '../../shared/clock.ts';
import { processesInGroup, signalProcess } from '../../shared/processes/processes.ts';
import { llamaServerForTests } from '../../testing/models/llama-server-program.ts';
import { partsNamed } from '../../testing/models/some-endpoints.ts';
import { tinyFacts } from '../../testing/models/tiny-facts.ts';
import { tinyGguf } from '../../testing/models/tiny-gguf.ts';
import { allowedOption, refusalReason } from '../description/llama-options.ts';
import { connectionTo } from '../runtime/replica-connection.ts';
import type { ReplicaProcess } from '../runtime/replica-process.ts';
import { LlamaServer } from './llama-server.ts';
import { askLlamaServer } from './llama-server-program.ts';

const program = await llamaServerForTests();
const env = { PATH: process.env['PATH'] ?? '' };

async function capabilities() {
  const answer = await askLlamaServer(program ?? '', env);
  if ('problem' in answer) throw new Error(answer.problem);
  return answer;
}

type Image = Partial<NonNullable<EndpointImage['llamacpp']>>;

async function start(
  image: Image = {},
  file: Buffer = tinyGguf(),
  args: string[] | null = null,
  facts = tinyFacts,
): Promise<ReplicaProcess> {
  const folder = await mkdtemp(join(tmpdir(), 'llama-'));
  const modelPath = join(folder, 'model.gguf');
  await writeFile(modelPath, file);
  const server = new LlamaServer({
    program: program ?? '',
    capabilities: await capabilities(),
    childEnvironment: () => env,
    noCard: () => null,
    clock: systemClock,
  });
  const plain = partsNamed('a');
  const llamacpp = { url: 'u', modelPath: '/x', ctxSize: 256, ...image };
  const parts = { ...plain, model: { ...plain.model, args, image: { llamacpp } } };
  expect(server.unsuitable(parts)).toBeNull();
  const replica = await server.start({
    parts,
    id: '1',
    endpoint: 'lab/chat',
    model: {
      kind: 'gguf',
      files: { modelPath, mmprojPath: null, draftPath: image.specModelPath ? modelPath : null, facts },
    },
    variables: { LLAMA_ARG_TOP_K: '1', GGML_BACKEND_PATH: '/tmp/evil.so' },
    socketPath: join(folder, 'a.sock'),
    threads: 1,
    card: null,
    onLine: () => {},
  });
  onTestFinished(async () => {
    await replica.stop();
    await rm(folder, { recursive: true });
  });
  return replica;
}

const healthy = (replica: ReplicaProcess) =>
  vi.waitFor(async () => expect(await replica.isHealthy(5_000), replica.log.join('\n')).toBe(true), {
    ...{ timeout: 30_000, interval: 20 },
  });

async function get(replica: ReplicaProcess, path: string): Promise<unknown> {
  const client = new Client('http://localhost', connectionTo(replica.address));
  const { body } = await client.request({ method: 'GET', path });
  const json = await body.json();
  await client.close();
  return json;
}

/** On Linux each thread has its own. */
function nicenessOfThreads(pid: number): string[] {
  if (process.platform !== 'linux') return ['10'];
  return readdirSync(`/proc/${pid}/task`).map((thread) => {
    const stat = readFileSync(`/proc/${pid}/task/${thread}/stat`, 'latin1');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16] ?? '';
  });
}

async function post(replica: ReplicaProcess, path: string, body: object) {
  const client = new Client('http://localhost', connectionTo(replica.address));
  const headers = { 'content-type': 'application/json' };
  const answer = await client.request({ method: 'POST', path, headers, body: JSON.stringify(body) });
  const json = (await answer.body.json()) as Record<string, unknown>;
  await client.close();
  return { status: answer.statusCode, json };
}

describe.skipIf(program === null)('the real llama-server', () => {
  test('every option of its help is allowed to endpoints, or refused for a reason', async () => {
    const { options, listensOnSockets, version } = await capabilities();
    const unknown = [...options].filter((name) => allowedOption(name) === null && refusalReason(name) === null);
    expect(unknown).toEqual([]);
    expect([...options].filter((name) => allowedOption(name) !== null && refusalReason(name) !== null)).toEqual([]);
    expect(options.size).toBeGreaterThan(200);
    expect(listensOnSockets).toBe(true);
    expect(version).toMatch(/^[\w.]+$/);
  });

  test('it becomes healthy, answers a chat under the model’s name, and stops', async () => {
    const replica = await start({}, tinyGguf(), ['--seed=7', '--temp', '0']);
    expect(await replica.isHealthy(5_000)).toBe(false); // it is loading, or does not listen yet
    await healthy(replica);
    const messages = [{ role: 'user', content: 'hello' }];
    const answer = await post(replica, '/v1/chat/completions', { messages, max_tokens: 4 });
    expect(answer).toMatchObject({ status: 200, json: { model: 'somebody/a-model', usage: { completion_tokens: 4 } } });
    expect(await replica.memoryBytes()).toBeGreaterThan(5e6);
    expect(await get(replica, '/props')).toMatchObject({ model_path: 'model.gguf' });
    expect(new Set(nicenessOfThreads(replica.pid))).toEqual(new Set(['10']));
    expect(replica.log[0]).toMatch(/^Not passed on: GGML_BACKEND_PATH/);
    await replica.stop();
    await replica.exited;
    expect(await processesInGroup(replica.pid)).toEqual([]);
    expect(await replica.isHealthy(5_000)).toBe(false);
  });

  test.each<[string, Image, 'last' | null]>([
    ['mean, where the file names no pooling', {}, null],
    ['the file’s own', {}, 'last'],
    ['the image’s', { pooling: 'cls' }, null],
  ])('embeddings with a pooling: %s', async (_what, image, pooling) => {
    const file = tinyGguf({ poolingType: pooling === 'last' ? 3 : null });
    const replica = await start({ mode: 'embeddings', ...image }, file, null, { ...tinyFacts, pooling });
    await healthy(replica);
    const { status, json } = await post(replica, '/v1/embeddings', { input: 'hello' });
    expect({ status, length: (json['data'] as [{ embedding: number[] }])[0].embedding.length }).toEqual({
      ...{ status: 200, length: 64 },
    });
  });

  test('reranking with a model that has a classifier', async () => {
    const replica = await start({ mode: 'reranking', pooling: 'rank' }, tinyGguf({ isReranker: true }));
    await healthy(replica);
    const { status, json } = await post(replica, '/v1/rerank', { query: 'a', documents: ['a', 'b'] });
    expect({ status, results: (json['results'] as unknown[]).length }).toEqual({ status: 200, results: 2 });
  });

  test('every number of the image, and a draft model', async () => {
    const replica = await start({ nParallel: 2, nGpuLayers: 0, threadsHttp: 2, specModelPath: '/x' });
    await healthy(replica);
    const answer = await post(replica, '/v1/completions', { prompt: 'a', max_tokens: 4 });
    expect(answer.status).toBe(200);
  });

  const messages = [{ role: 'user', content: 'hi' }];
  const chatml = '<|im_start|>user\nhi<|im_end|>\n<|im_start|>assistant\n';
  const llama3 =
    '<|start_header_id|>user<|end_header_id|>\n\nhi<|eot_id|><|start_header_id|>assistant<|end_header_id|>\n\n';

  test.each<[string, Image, string[], string]>([
    ['it takes ChatML, without a word', {}, [], chatml],
    ['the one that was chosen', { chatTemplate: 'llama3' }, [], llama3],
    ['ChatML, chosen', { chatTemplate: 'chatml' }, [], chatml],
    ['a name among the arguments, which drops the chat', {}, ['--chat-template', 'llama3'], 'llama3'],
  ])('the prompt of a chat with a model without a template: %s', async (_, image, args, prompt) => {
    const replica = await start(image, tinyGguf({ chatTemplate: null }), args);
    await healthy(replica);
    expect(await post(replica, '/apply-template', { messages })).toEqual({ status: 200, json: { prompt } });
    const answer = await post(replica, '/v1/chat/completions', { messages, max_tokens: 2 });
    expect(answer).toMatchObject({ status: 200, json: { usage: { completion_tokens: 2 } } });
  });

  test('every chat template that endpoints may name is built in', async () => {
    expect((await capabilities()).chatTemplates).toEqual(chatTemplates);
  });

  test('SIGKILL from outside is reported', async () => {
    const replica = await start();
    await healthy(replica);
    signalProcess(replica.pid, 'SIGKILL');
    const { reason, message } = await replica.exited;
    expect([reason, message]).toEqual(['crashed', expect.stringContaining('was killed (SIGKILL)')]);
  });

  test('a damaged file ends it, and the log says why', async () => {
    const replica = await start({}, tinyGguf().subarray(0, 20_000));
    expect(await replica.exited).toMatchObject({ reason: 'model-damaged' });
    expect(replica.log.join('\n')).toMatch(/corrupted|incomplete|failed to load model|not within the file bounds/);
  });

  test('a missing program cannot start', async () => {
    const server = new LlamaServer({
      program: '/nowhere',
      capabilities: await capabilities(),
      childEnvironment: () => env,
      noCard: () => null,
      clock: systemClock,
    });
    const files = { modelPath: '/x', mmprojPath: null, draftPath: null, facts: tinyFacts };
    const model = { kind: 'gguf', files } as const;
    const plain = partsNamed('a');
    const parts = { ...plain, model: { ...plain.model, image: { llamacpp: { url: 'u', modelPath: '/x' } } } };
    const socketPath = join(tmpdir(), 'llama', 'a.sock');
    await expect(
      server.start({
        id: '1',
        endpoint: 'lab/chat',
        parts,
        model,
        variables: {},
        socketPath,
        threads: 1,
        card: null,
        onLine: () => {},
      }),
    ).rejects.toThrow('spawn /nowhere');
  });
});
