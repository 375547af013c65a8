import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Response } from 'express';
import type { ListReply } from '../../catalog/serialized-list.ts';

/** A reader that takes nothing for so long is gone, or as good as. */
const STALLED_MS = 30_000;

/**
 * Answers with a list of catalog items. Of a long one no more than a piece waits for the reader, others have their turn
 * between two pieces, and it ends when the reader goes.
 */
export async function sendCatalogList(response: Response, list: ListReply, stalledMs = STALLED_MS): Promise<void> {
  response.writeHead(200, { 'Content-Type': 'application/json; charset=utf-8', 'Content-Length': list.byteLength });
  if (response.req.method === 'HEAD') return void response.end();
  if (!list.isSmall) response.setTimeout(stalledMs, () => response.destroy());
  for (const piece of list.pieces()) {
    if (response.destroyed) return;
    if (!response.write(piece)) await takenBy(response);
    if (!list.isSmall) await nextTurn();
  }
  response.end();
}

/** Until the reader has taken what was written, or is gone. */
function takenBy(response: Response): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  response.once('drain', resolve).once('close', resolve);
  return promise.finally(() => response.off('drain', resolve).off('close', resolve));
}
