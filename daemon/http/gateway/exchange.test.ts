import type { ServerResponse } from 'node:http';
import { expect, onTestFinished, test, vi } from 'vitest';
import { CHAT, startGateway } from '../../testing/gateway/gateway-server.ts';
import { httpModelServer } from '../../testing/gateway/model-server.ts';
import { movableClock } from '../../testing/movable-clock.ts';
import { gatewayBounds } from './gateway.ts';

test('an answer may take longer than the limit for silence, which each of its pieces starts again', async () => {
  const clock = movableClock();
  const { promise: asked, resolve: ask } = Promise.withResolvers<(piece: string) => void>();
  const model = await httpModelServer((_request, response) => ask((piece) => void response.write(piece)));
  const { url, ...served } = await startGateway(model.socketPath, {
    deadlines: { ...gatewayBounds.deadlines, idleMs: 60_000 },
    clock,
  });
  onTestFinished(async () => {
    await served[Symbol.asyncDispose]();
    await model.stop();
  });
  const answer = fetch(url);
  const write = await asked;
  write('0');
  const reader = ((await answer).body as ReadableStream<Uint8Array>).getReader();
  const received = [await reader.read()];
  for (const piece of ['1', '2', '3', '4']) {
    await clock.pass(40_000, 1_000);
    write(piece);
    received.push(await reader.read());
  }
  expect(received.map(({ value }) => String.fromCharCode(...(value ?? [])))).toEqual(['0', '1', '2', '3', '4']);
  await expect(clock.during(reader.read(), 1_000)).rejects.toThrow('terminated');
});

test('a request leaves a replica that no longer answers, unless its answer has begun', async () => {
  const answers: ServerResponse[] = [];
  const model = await httpModelServer((_request, response) => void answers.push(response));
  const { url, backends, traffic, ...served } = await startGateway(model.socketPath, { clock: movableClock() });
  onTestFinished(async () => {
    await served[Symbol.asyncDispose]();
    await model.stop();
  });
  const asked = (count: number) => vi.waitFor(() => expect(answers).toHaveLength(count));
  const begun = fetch(url);
  await asked(1);
  answers[0]?.write('a');
  await begun;
  const waiting = fetch(url);
  await asked(2);
  backends.fallSilent();
  await asked(3);
  answers[2]?.end('of another');
  expect(await (await waiting).text()).toBe('of another');
  answers[0]?.end('b');
  expect(await (await begun).text()).toBe('ab');
  expect(traffic.of(CHAT)).toMatchObject({ requests: 2, failed: 0 });
});

test('a request leaves a replica that stopped answering before the request was sent to it', async () => {
  const model = await httpModelServer((_request, response) => void response.end('of another'));
  const { url, backends, traffic, ...served } = await startGateway(model.socketPath, { clock: movableClock() });
  onTestFinished(async () => {
    await served[Symbol.asyncDispose]();
    await model.stop();
  });
  const acquire = backends.acquire.bind(backends);
  backends.acquire = async (...asked) => {
    const backend = await acquire(...asked);
    if (backends.replicas === 1) backends.fallSilent();
    return backend;
  };
  expect(await (await fetch(url)).text()).toBe('of another');
  expect(backends.acquired).toHaveLength(2);
  expect(traffic.of(CHAT)).toMatchObject({ requests: 1, failed: 0 });
});
