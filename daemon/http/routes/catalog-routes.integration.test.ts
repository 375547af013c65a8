import { once } from 'node:events';
import { createServer, get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { expect, onTestFinished, test, vi } from 'vitest';
import { buildCatalog } from '../../catalog/catalog.ts';
import { sleepOn, systemClock } from '../../shared/clock.ts';
import { createLogger } from '../../shared/logger.ts';
import { generatedCatalog } from '../../testing/models/generated-catalog.ts';
import { sendCatalogList } from './catalog-routes.ts';

const catalog = await buildCatalog(
  generatedCatalog(5_000),
  createLogger('error', () => {}),
);
const whole = catalog.listBody({});

/** Much longer than a connection buffers. */
const long = Buffer.alloc(50 * 2 ** 20, 'x');

/** A server that replies with the list; `over` resolves when the reply is finished. */
async function serving(body: Buffer, stalledMs?: number) {
  const { promise: over, resolve: end } = Promise.withResolvers<void>();
  const app = express();
  app.get('/', (_request, response) => {
    response.once('close', end);
    sendCatalogList(response, body, stalledMs);
  });
  const server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, over };
}

/** Sends the request, and does not read the response yet. */
async function openResponse(url: string): Promise<IncomingMessage> {
  const [response] = (await once(get(url, { agent: false }), 'response')) as [IncomingMessage];
  response.on('error', () => {}); // the server may disconnect
  return response;
}

test.each([
  ['short', catalog.listBody({ limit: 50 })],
  ['long', whole],
  ['empty', catalog.listBody({ search: 'nothing-has-this' })],
])('a list that is %s is sent completely, and HEAD has the same headers', async (_, body) => {
  const { url } = await serving(body);
  const head = await fetch(url, { method: 'HEAD' });
  expect(await head.text()).toBe('');
  const reply = await fetch(url);
  expect(await reply.text()).toBe(body.toString());
  for (const { status, headers } of [head, reply]) {
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(headers.get('content-length')).toBe(`${body.length}`);
  }
});

test('a connection can receive several long lists in sequence', async () => {
  const { url } = await serving(whole);
  for (let turn = 0; turn < 3; turn++) {
    expect((await (await fetch(url)).arrayBuffer()).byteLength).toBe(whole.length);
  }
});

test('a reader that reads nothing for too long is disconnected', async () => {
  const { url, over } = await serving(long, 100);
  const response = await openResponse(url);
  await over;
  response.resume();
  await vi.waitFor(() => expect(response.closed).toBe(true));
  expect(response.complete).toBe(false);
});

test('a reader that takes longer than the limit, but keeps reading, gets it all', async () => {
  const body = Buffer.alloc(32 * 2 ** 20, 'x');
  const { url } = await serving(body, 700);
  const response = await openResponse(url);
  const startedMs = performance.now();
  let size = 0;
  let pausedAt = 0;
  for await (const chunk of response) {
    size += (chunk as Buffer).length;
    if (size - pausedAt < 2 ** 20) continue;
    pausedAt = size;
    await sleepOn(systemClock, 50);
  }
  expect(size).toBe(body.length);
  expect(performance.now() - startedMs).toBeGreaterThan(1_400);
});
