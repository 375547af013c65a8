import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Agent, fetch } from 'undici';
import { expect, onTestFinished, test } from 'vitest';
import { ApiError } from './api-error.ts';
import type { LoadedModel } from './load-model.ts';
import { RunnerServer } from './runner-server.ts';

/** Asks a runner whose model fails so. @returns the status, and how often the runner was told to end */
async function askFailing(error: Error) {
  let ends = 0;
  const server = new RunnerServer('owner/tiny', () => {
    ends += 1;
  });
  const socketPath = join(tmpdir(), `runner-server-${process.pid}-${Math.random().toString(36).slice(2, 8)}.sock`);
  await server.listen(socketPath);
  const dispatcher = new Agent({ connect: { socketPath } });
  onTestFinished(async () => {
    server.close();
    await dispatcher.destroy();
  });
  const embedder = { vocabularySize: 10, embed: () => Promise.reject(error) };
  server.ready({ mode: 'embeddings', contextLength: 8, embedder } as unknown as LoadedModel);
  const body = JSON.stringify({ input: 'Hello' });
  const { status } = await fetch('http://runner/v1/embeddings', { method: 'POST', body, dispatcher });
  return { status, ends };
}

test.each([
  ['a driver that has lost its card', new Error('vk::Queue::submit: ErrorDeviceLost'), 500, 1],
  ['memory that is short for one request', new Error('vk::Device::allocateMemory: ErrorOutOfDeviceMemory'), 500, 0],
  ['a request that names such an error', new ApiError(400, 'cannot honour "ErrorDeviceLost" in a schema'), 400, 0],
])(
  'a request that fails is answered, and the runner ends only without its card: %s',
  async (...[, error, status, ends]) => {
    expect(await askFailing(error)).toEqual({ status, ends });
  },
);
