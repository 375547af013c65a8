import { once } from 'node:events';
import { createServer, get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import express, { type Response } from 'express';
import { expect, onTestFinished, test, vi } from 'vitest';
import { buildCatalog } from '../../catalog/catalog.ts';
import type { ListReply } from '../../catalog/serialized-list.ts';
import { sleepOn, systemClock } from '../../shared/clock.ts';
import { createLogger } from '../../shared/logger.ts';
import { generatedCatalog } from '../../testing/models/generated-catalog.ts';
import { sendCatalogList } from './catalog-list-reply.ts';

const catalog = await buildCatalog(
  generatedCatalog(5_000),
  createLogger('error', () => {}),
);
const whole = await catalog.listReply({});

const PIECE = Buffer.alloc(256 * 1024, 'x');
const PIECES = 200;

/** A list much larger than a connection buffers, and a count of the pieces made. */
function endless() {
  const made = { pieces: 0, isOver: false };
  function* pieces() {
    try {
      for (; made.pieces < PIECES; made.pieces++) yield PIECE;
    } finally {
      made.isOver = true;
    }
  }
  return { list: { byteLength: PIECE.length * PIECES, isSmall: false, pieces }, made };
}

/** A server that replies with the list; `over` resolves when the reply is finished. */
async function serving(list: ListReply, stalledMs?: number) {
  const { promise: answer, resolve: answering } = Promise.withResolvers<Response>();
  const { promise: over, resolve: end } = Promise.withResolvers<void>();
  const app = express();
  app.get('/', (_request, response) => {
    answering(response);
    return sendCatalogList(response, list, stalledMs).then(end);
  });
  const server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, answer, over };
}

/** Sends the request, and does not read the response yet. */
async function openResponse(url: string): Promise<IncomingMessage> {
  const [response] = (await once(get(url, { agent: false }), 'response')) as [IncomingMessage];
  response.on('error', () => {}); // the server may disconnect
  return response;
}

async function waitsForReader(response: Response): Promise<void> {
  await vi.waitFor(async () => {
    for (let turn = 0; turn < 50; turn++) {
      await nextTurn();
      expect(response.writableNeedDrain).toBe(true);
    }
  });
}

test.each([
  ['short', await catalog.listReply({ limit: 50 })],
  ['long', whole],
  ['empty', await catalog.listReply({ search: 'nothing-has-this' })],
])('a list that is %s is sent completely, and HEAD has the same headers', async (_, list) => {
  const { url } = await serving(list);
  const head = await fetch(url, { method: 'HEAD' });
  expect(await head.text()).toBe('');
  const reply = await fetch(url);
  expect(await reply.text()).toBe(Buffer.concat([...list.pieces()]).toString());
  for (const { status, headers } of [head, reply]) {
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(headers.get('content-length')).toBe(`${list.byteLength}`);
  }
});

test('a connection can receive several long lists in sequence', async () => {
  const { url } = await serving(whole);
  for (let turn = 0; turn < 3; turn++) {
    expect((await (await fetch(url)).arrayBuffer()).byteLength).toBe(whole.byteLength);
  }
});

test('other work runs between two pieces', async () => {
  let turns = 0;
  let counting = setImmediate(function count() {
    turns += 1;
    counting = setImmediate(count);
  });
  onTestFinished(() => clearImmediate(counting));
  const seen: number[] = [];
  function* pieces() {
    for (const piece of whole.pieces()) {
      seen.push(turns);
      yield piece;
    }
  }
  const { url } = await serving({ ...whole, pieces });
  await (await fetch(url)).arrayBuffer();
  expect(seen.length).toBeGreaterThan(5);
  expect(new Set(seen).size).toBe(seen.length);
});

test('with a slow reader about one piece is buffered; the others are made while it reads', async () => {
  const { list, made } = endless();
  const { url, answer } = await serving(list);
  const response = await openResponse(url);
  await waitsForReader(await answer);
  expect((await answer).writableLength).toBeLessThan(2 * PIECE.length);
  expect(made.pieces).toBeLessThan(PIECES);
  let size = 0;
  for await (const chunk of response) size += (chunk as Buffer).length;
  expect(size).toBe(list.byteLength);
});

test('after the reader disconnects no more pieces are made', async () => {
  const { list, made } = endless();
  const { url, answer, over } = await serving(list);
  const response = await openResponse(url);
  await waitsForReader(await answer);
  response.destroy();
  await over;
  expect(made.isOver).toBe(true);
  expect(made.pieces).toBeLessThan(PIECES);
});

test('a reader that reads nothing for too long is disconnected', async () => {
  const { list, made } = endless();
  const { url, over } = await serving(list, 100);
  const response = await openResponse(url);
  await over;
  expect(made.isOver).toBe(true);
  response.resume();
  await vi.waitFor(() => expect(response.closed).toBe(true));
  expect(response.complete).toBe(false);
});

test('a reader that takes longer than the limit for a piece, but keeps reading, gets it all', async () => {
  const list = { byteLength: 32 * 2 ** 20, isSmall: false, pieces: () => [Buffer.alloc(32 * 2 ** 20, 'x')].values() };
  const { url } = await serving(list, 700);
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
  expect(size).toBe(list.byteLength);
  expect(performance.now() - startedMs).toBeGreaterThan(1_400);
});
