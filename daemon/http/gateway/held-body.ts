import type { IncomingMessage } from 'node:http';
import { GatewayRefusal } from './gateway-refusal.ts';
import type { RequestLimits } from './request-limits.ts';

const MAX_BODY_BYTES = 32 * 1024 * 1024;
/** undici keeps a buffer to the end of its request, so larger bodies are passed to it in a way that lets them go. */
const SMALL_BYTES = 64 * 1024;

/** The body of a request, kept until an answer to it begins, so that it can be sent again. */
export class HeldBody {
  #bytes: Buffer | null;
  #sending = 0;
  #isDropped = false;
  readonly #limits: RequestLimits;

  constructor(bytes: Buffer | null, limits: RequestLimits) {
    this.#bytes = bytes;
    this.#limits = limits;
  }

  /** The whole body; null: none, or it was dropped. */
  get bytes(): Buffer | null {
    return this.#bytes;
  }

  /** The body for one more try, and its length; null: none. */
  next(): { readonly body: Buffer | AsyncIterable<Buffer>; readonly length: number } | null {
    const bytes = this.#bytes;
    if (bytes === null) return null;
    return { body: bytes.length <= SMALL_BYTES ? bytes : this.#pieces(bytes), length: bytes.length };
  }

  /** The body is not needed again: its memory is free once nothing sends it. */
  drop(): void {
    this.#isDropped = true;
    this.#freeUnused();
  }

  async *#pieces(bytes: Buffer): AsyncGenerator<Buffer> {
    this.#sending += 1;
    try {
      for (let at = 0; at < bytes.length; at += SMALL_BYTES) yield bytes.subarray(at, at + SMALL_BYTES);
    } finally {
      this.#sending -= 1;
      this.#freeUnused();
    }
  }

  #freeUnused(): void {
    if (!this.#isDropped || this.#sending > 0 || !this.#bytes) return;
    this.#limits.freeBytes(this.#bytes.length);
    this.#bytes = null;
  }
}

/**
 * Reads the whole body before a replica is asked: a slow upload occupies none, and its length is known.
 * @throws GatewayRefusal for a body over 32 MB, or without memory for it; the signal's reason when the caller is gone
 */
export async function holdBody(
  request: IncomingMessage,
  limits: RequestLimits,
  signal: AbortSignal,
): Promise<HeldBody> {
  const { 'content-length': length, 'transfer-encoding': encoding } = request.headers;
  if (length === undefined && encoding === undefined) return new HeldBody(null, limits);
  if (encoding !== undefined && encoding.toLowerCase() !== 'chunked') {
    throw new GatewayRefusal('invalid-request', `The transfer encoding ${encoding} is not supported.`);
  }
  if (Number(length) > MAX_BODY_BYTES) throw tooLarge();
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const chunks: Buffer[] = [];
  let bytes = 0;
  const onData = (chunk: Buffer) => {
    try {
      if (bytes + chunk.length > MAX_BODY_BYTES) throw tooLarge();
      limits.holdBytes(chunk.length);
      bytes += chunk.length;
      chunks.push(chunk);
    } catch (error) {
      reject(error as Error);
    }
  };
  const onAbort = () => reject(signal.reason as Error);
  request.on('data', onData).once('end', resolve).once('error', reject);
  signal.addEventListener('abort', onAbort);
  if (signal.aborted) onAbort();
  try {
    await promise;
    return new HeldBody(bytes === 0 ? null : wholeOf(chunks, bytes), limits);
  } catch (error) {
    limits.freeBytes(bytes);
    throw error;
  } finally {
    request.off('data', onData).off('end', resolve).off('error', reject);
    signal.removeEventListener('abort', onAbort);
  }
}

function wholeOf(chunks: readonly Buffer[], bytes: number): Buffer {
  return chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks, bytes);
}

function tooLarge(): GatewayRefusal {
  return new GatewayRefusal('body-too-large', 'The body is larger than 32 MB, the maximum.');
}
