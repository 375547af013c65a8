import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Agent, fetch } from 'undici';
import { expect, onTestFinished, test } from 'vitest';
import type { LoadedModel } from './load-model.ts';
import { RunnerServer } from './runner-server.ts';

/** Asks a runner whose model fails with that message. @returns the status, and how often the runner was told to end */
async function askFailing(message: string) {
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
  const embedder = { vocabularySize: 10, embed: () => Promise.reject(new Error(message)) };
  server.ready({ mode: 'embeddings', contextLength: 8, embedder } as unknown as LoadedModel);
  const body = JSON.stringify({ input: 'Hello' });
  const { status } = await fetch('http://runner/v1/embeddings', { method: 'POST', body, dispatcher });
  return { status, ends };
}

test.each([
  ['vk::Queue::submit: ErrorDeviceLost', 1],
  ['vk::Device::allocateMemory: ErrorOutOfDeviceMemory', 1],
  ['Failed to find a slot', 0],
])(
  'a request that fails is answered, and the runner ends if its graphics driver has failed: %s',
  async (message, ends) => {
    expect(await askFailing(message)).toEqual({ status: 500, ends });
  },
);
