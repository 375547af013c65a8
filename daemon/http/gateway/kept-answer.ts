import type { ServerResponse } from 'node:http';
import { finished } from 'node:stream/promises';
import type { Clock } from '../../shared/clock.ts';
import { answerMayBeKept } from './cache-rules.ts';
import type { AnswerWatcher } from './exchange.ts';
import { type AnswerHeaders, setGuardHeaders } from './passed-headers.ts';

/** A whole answer with the status 200. */
export interface KeptAnswer {
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Buffer;
}

/** The headers that belong to the body. Others, such as times and limits, are those of one request. */
const KEPT = [
  ...['content-type', 'content-encoding', 'content-language', 'content-disposition'],
  ...['etag', 'last-modified'],
];

/** The headers of an answer that are kept with it. */
function keptHeaders(response: Pick<ServerResponse, 'getHeader'>): KeptAnswer['headers'] {
  return KEPT.flatMap((name) => {
    const value = response.getHeader(name);
    return typeof value === 'string' ? [[name, value] as const] : [];
  });
}

/** Sends a kept answer. A caller that has not read it within the limit loses its connection. */
export async function sendKept(
  clock: Clock,
  { headers, body }: KeptAnswer,
  response: ServerResponse,
  limitMs: number,
): Promise<void> {
  for (const [name, value] of headers) response.setHeader(name, value);
  setGuardHeaders(response);
  response.setHeader('X-Cache', 'HIT');
  response.setHeader('Content-Length', body.length);
  response.end(body);
  if (response.writableLength === 0) return;
  await finished(response, { signal: clock.timeout(limitMs) }).catch(() => response.destroy());
}

/** The largest answer that is kept, as the specification has it. */
const MAX_ANSWER_BYTES = 1024 * 1024;
/** An answer may arrive in tiny pieces: the memory that each takes beside its bytes, rounded up. */
const PIECE_BYTES = 256;

/** The memory that answers take while they arrive. */
export class RecordingMemory {
  readonly #mostBytes: number;
  #bytes = 0;

  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** @returns whether there is room */
  hold(bytes: number): boolean {
    if (this.#bytes + bytes > this.#mostBytes) return false;
    this.#bytes += bytes;
    return true;
  }

  free(bytes: number): void {
    this.#bytes -= bytes;
  }
}

/** Copies an answer while it passes, if it may be kept. One that is too large, or finds no room, is passed on all the same. */
export class AnswerRecording implements AnswerWatcher {
  readonly #memory: RecordingMemory;
  readonly #keep: (answer: KeptAnswer) => void;
  #headers: KeptAnswer['headers'] | null = null;
  #pieces: Buffer[] = [];
  #bytes = 0;
  #heldBytes = 0;

  constructor(memory: RecordingMemory, keep: (answer: KeptAnswer) => void) {
    this.#memory = memory;
    this.#keep = keep;
  }

  head(status: number, response: ServerResponse, headers: AnswerHeaders): void {
    if (answerMayBeKept(status, headers)) this.#headers = keptHeaders(response);
  }

  data(chunk: Buffer): void {
    if (!this.#headers) return;
    const heldBytes = chunk.length + PIECE_BYTES;
    if (this.#bytes + chunk.length > MAX_ANSWER_BYTES || !this.#memory.hold(heldBytes)) {
      this.drop();
      return;
    }
    this.#heldBytes += heldBytes;
    this.#bytes += chunk.length;
    this.#pieces.push(chunk);
  }

  /** All of the answer has passed: it is kept, if it may be. */
  keep(): void {
    if (!this.#headers) return;
    // Memory of its own: a buffer of the pool would hold the memory of its neighbours too.
    const body = Buffer.allocUnsafeSlow(this.#bytes);
    let at = 0;
    for (const piece of this.#pieces) at += piece.copy(body, at);
    this.#keep({ headers: this.#headers, body });
  }

  /** Frees its memory, and records no more. */
  drop(): void {
    this.#memory.free(this.#heldBytes);
    this.#heldBytes = 0;
    this.#pieces = [];
    this.#headers = null;
  }
}
