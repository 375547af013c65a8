import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Response } from 'express';
import type { ListReply } from '../../catalog/serialized-list.ts';

/** A reader that reads nothing for this long is disconnected. */
const STALLED_MS = 30_000;

/**
 * Replies with a list of catalog items. A long one is written in pieces: at most one waits for the reader, other requests
 * run between two pieces, and writing ends when the reader disconnects. The limit is Node's own: nothing else tells whether a
 * connection makes progress within a piece.
 */
export async function sendCatalogList(response: Response, list: ListReply, stalledMs = STALLED_MS): Promise<void> {
  response.setTimeout(stalledMs, () => response.destroy());
  response.writeHead(200, { 'Content-Type': 'application/json; charset=utf-8', 'Content-Length': list.byteLength });
  if (response.req.method === 'HEAD') return void response.end();
  for (const piece of list.pieces()) {
    if (response.destroyed) return;
    if (!response.write(piece)) await drained(response);
    if (!list.isSmall) await nextTurn();
  }
  response.end();
}

/** Waits until the reader has read everything written, or is disconnected. */
function drained(response: Response): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  response.once('drain', resolve).once('close', resolve);
  return promise.finally(() => response.off('drain', resolve).off('close', resolve));
}
