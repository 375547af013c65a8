import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { manualClock } from '../../testing/manual-clock.ts';
import { warmUp } from './warm-up.ts';

interface Asked {
  readonly path: string;
  readonly body: {
    readonly prompt?: string;
    readonly input?: string;
    readonly query?: string;
    readonly documents?: string[];
  };
}
const textOf = ({ body: { prompt, input, documents } }: Asked) => prompt ?? input ?? documents?.[0] ?? '';

/** A server in the place of a replica. @param statusOf its status for a text of so many characters; null: it closes the connection */
async function replicaOn(statusOf: (length: number) => number | null = () => 200) {
  const asked: Asked[] = [];
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const one: Asked = { path: request.url ?? '', body: JSON.parse(Buffer.concat(chunks).toString()) };
    asked.push(one);
    const status = statusOf(textOf(one).length);
    if (status === null) request.socket.destroy();
    else if (status !== 0) response.writeHead(status).end('{}');
  };
  const server = createServer((...args) => void answer(...args));
  const socketPath = join(tmpdir(), `warm-${process.pid}-${Math.random().toString(36).slice(2, 8)}.sock`);
  await new Promise<void>((resolve) => server.listen(socketPath, resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { address: { socketPath }, asked };
}

const clock = manualClock();
const how = { clock, signal: new AbortController().signal, isCompiled: false };
const imageIn = (mode: 'embeddings' | 'reranking' | null) => ({
  image: { llamacpp: { url: 'u', modelPath: '/x', mode } },
});

test('a model that generates is asked for a few tokens after a long prompt', async () => {
  const { address, asked } = await replicaOn();
  expect(await warmUp({ address }, imageIn(null), how)).toBeNull();
  expect(asked).toEqual([
    { path: '/v1/completions', body: { prompt: expect.any(String), max_tokens: 4, temperature: 0 } },
  ]);
  expect(asked.map(textOf)[0]).toHaveLength(2_000);
});

test('a driver that has compiled all before only has to answer', async () => {
  const { address, asked } = await replicaOn();
  expect(await warmUp({ address }, imageIn(null), { ...how, isCompiled: true })).toBeNull();
  expect(asked.map((one) => textOf(one).length)).toEqual([20]);
});

test.each([
  ['embeddings', '/v1/embeddings', { input: expect.any(String) }],
  ['reranking', '/v1/rerank', { query: expect.any(String), documents: [expect.any(String)] }],
] as const)('a model for %s is asked for what it does', async (mode, path, body) => {
  const { address, asked } = await replicaOn();
  expect(await warmUp({ address }, imageIn(mode), how)).toBeNull();
  expect(asked).toEqual([{ path, body }]);
});

test('a text that is longer than the context is made shorter', async () => {
  const { address, asked } = await replicaOn((length) => (length > 100 ? 400 : 200));
  expect(await warmUp({ address }, imageIn(null), how)).toBeNull();
  expect(asked.map((one) => textOf(one).length)).toEqual([2_000, 1_000, 400, 100]);
});

test.each([
  [400, 5],
  [500, 1],
])('a model that answers %i to all is left as it is', async (status, times) => {
  const { address, asked } = await replicaOn(() => status);
  expect(await warmUp({ address }, imageIn(null), how)).toEqual({ problem: `it answered ${status}` });
  expect(asked).toHaveLength(times);
});

test('a replica that is gone in the middle, or before, is told, and nothing is thrown', async () => {
  const { address } = await replicaOn(() => null);
  expect(await warmUp({ address }, imageIn(null), how)).toEqual({ problem: 'other side closed' });
  const nobody = { socketPath: join(tmpdir(), 'nobody.sock') };
  expect(await warmUp({ address: nobody }, imageIn(null), how)).toEqual({
    problem: expect.stringContaining('ENOENT'),
  });
});

test('it ends when the replica is to be stopped, and after ten minutes', async () => {
  const silent = await replicaOn(() => 0);
  const stopped = new AbortController();
  const warming = warmUp(silent, imageIn(null), { ...how, signal: stopped.signal });
  await expect.poll(() => silent.asked).toHaveLength(1);
  stopped.abort(new Error('the replica is stopped'));
  expect(await warming).toEqual({ problem: 'the replica is stopped' });
  const late = warmUp(silent, imageIn(null), how);
  await expect.poll(() => silent.asked).toHaveLength(2);
  await clock.advance(10 * 60_000);
  expect(await late).toBe('silent');
});
