import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Response } from 'express';
import type { ListReply } from '../../catalog/serialized-list.ts';
import type { Clock } from '../../shared/clock.ts';

/** A reader that has not read a piece within this time is disconnected. */
const STALLED_MS = 30_000;

/**
 * Replies with a list of catalog items. A long one is written in pieces: at most one waits for the reader, other requests
 * run between two pieces, and writing ends when the reader disconnects.
 */
export async function sendCatalogList(clock: Clock, response: Response, list: ListReply): Promise<void> {
  response.writeHead(200, { 'Content-Type': 'application/json; charset=utf-8', 'Content-Length': list.byteLength });
  if (response.req.method === 'HEAD') return void response.end();
  for (const piece of list.pieces()) {
    if (response.destroyed) return;
    if (!response.write(piece)) await drained(clock, response);
    if (!list.isSmall) await nextTurn();
  }
  response.end();
}

/** Waits until the reader has read everything written, or is disconnected. */
function drained(clock: Clock, response: Response): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  response.once('drain', resolve).once('close', resolve);
  const cancel = clock.after(STALLED_MS, () => response.destroy());
  return promise.finally(() => {
    cancel();
    response.off('drain', resolve).off('close', resolve);
  });
}
