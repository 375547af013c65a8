import type { IncomingMessage, ServerResponse } from 'node:http';
import { PassThrough } from 'node:stream';
import { type Clock, sleepOn } from '../../shared/clock.ts';

/** A way to misbehave. Options for bodies apply to the bodies of files, unless `only` names other paths. */
export interface Misbehaviour {
  readonly status?: 403 | 429 | 500 | 503;
  /** The `Retry-After` header of a status. */
  readonly retryAfterS?: number;
  readonly delayMs?: number;
  readonly bytesPerSecond?: number;
  /** Destroys the socket after that. */
  readonly stopAfterBytes?: number;
  /** Does what is asked, then destroys the socket instead of answering. */
  readonly loseAnswer?: boolean;
  /** Stops misbehaving after so many requests. */
  readonly times?: number;
  /** Never answers. */
  readonly hang?: boolean;
  readonly hangAfterBytes?: number;
  /** Sends a page of HTML instead of JSON, and wrong bytes instead of a file's. */
  readonly garbage?: boolean;
  /** Sends a 302 to this address instead of the answer. */
  readonly redirectTo?: string;
  /** Sends a whole file when a part of it is requested. */
  readonly ignoreRange?: boolean;
  /** The affected paths; default: every path. */
  readonly only?: RegExp;
}

const FILE = /^(?:\/spaces)?\/[^/]+\/[^/]+\/(resolve|raw)\/|^\/large-files\//;
const PIECES_PER_SECOND = 20;

/** Whether a request is answered wrongly. */
export const affects = ({ only }: Misbehaviour, path: string) => only?.test(path) ?? true;

/** Answers a request wrongly, or lets the hub answer and corrupts the body. */
export async function misbehave(
  clock: Clock,
  how: Misbehaviour,
  req: IncomingMessage,
  res: ServerResponse,
  behave: () => void,
): Promise<void> {
  const path = req.url ?? '';
  if (how.loseAnswer) return loseAnswer(res, behave);
  if (how.hang) return;
  if (how.ignoreRange) delete req.headers.range;
  if (how.delayMs) await sleepOn(clock, how.delayMs);
  const isSpoiled = how.bytesPerSecond ?? how.stopAfterBytes ?? how.hangAfterBytes ?? how.garbage;
  if (how.status) {
    if (how.retryAfterS !== undefined) res.setHeader('Retry-After', how.retryAfterS);
    res.writeHead(how.status, { 'Content-Type': 'application/json' });
    res.end(JSON.stringify({ error: 'The hub is out of order' }));
  } else if (how.redirectTo !== undefined) {
    res.writeHead(302, { Location: how.redirectTo }).end();
  } else if (how.garbage && !FILE.test(path)) {
    res.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' });
    res.end('<!doctype html><title>Sign in to this network</title><p>Please accept the terms.');
  } else {
    if (isSpoiled !== undefined && (how.only || FILE.test(path))) spoilBody(clock, how, res);
    behave();
  }
}

/** Replaces the response's `write` and `end`, so that only the end of the work is seen. */
function loseAnswer(res: ServerResponse, behave: () => void): void {
  res.write = () => true;
  res.end = (() => res.destroy()) as typeof res.end;
  behave();
}

/** Replaces the response's `write` and `end`. */
function spoilBody(
  clock: Clock,
  { bytesPerSecond, stopAfterBytes, hangAfterBytes, garbage }: Misbehaviour,
  res: ServerResponse,
): void {
  const body = new PassThrough();
  const closing = new AbortController();
  const [write, end] = [res.write.bind(res), res.end.bind(res)];
  res.write = body.write.bind(body) as typeof res.write;
  res.end = ((...given: Parameters<typeof body.end>) => {
    body.end(...given);
    return res;
  }) as typeof res.end;
  body.on('drain', () => res.emit('drain'));
  res.once('close', () => {
    body.destroy();
    closing.abort();
  });

  const pieceBytes = Math.max(1, Math.floor((bytesPerSecond ?? Infinity) / PIECES_PER_SECOND));
  const lastByte = Math.min(stopAfterBytes ?? Infinity, hangAfterBytes ?? Infinity);
  let sent = 0;
  const pump = async () => {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      for (let at = 0; at < chunk.length; ) {
        const piece = chunk.subarray(at, Math.min(at + pieceBytes, at + lastByte - sent));
        await new Promise((resolve) => write(garbage ? piece.map((byte) => byte ^ 0xff) : piece, resolve));
        at += piece.length;
        sent += piece.length;
        if (sent === stopAfterBytes) return void res.destroy();
        if (sent === hangAfterBytes) return;
        if (bytesPerSecond) await sleepOn(clock, (1000 * piece.length) / bytesPerSecond, closing.signal);
      }
    }
    end();
  };
  pump().catch(() => res.destroy());
}
