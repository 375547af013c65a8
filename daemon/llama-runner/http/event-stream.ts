import { once } from 'node:events';
import type { ServerResponse } from 'node:http';

/** A reader that takes nothing for this long loses its stream, since it holds one of few places. */
const STALLED_MS = 60_000;

/** Server-sent events, paced by the reader. */
export class EventStream {
  readonly #response: ServerResponse;

  /** Sends the head. */
  constructor(response: ServerResponse) {
    this.#response = response;
    response.writeHead(200, {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-cache',
      'x-accel-buffering': 'no',
    });
  }

  /** Waits while the reader is behind. @throws AbortError when the signal aborts, an error when the reader stalls */
  async send(data: unknown, signal: AbortSignal): Promise<void> {
    const isTaken = this.#response.write(`data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`);
    if (isTaken) return;
    const either = AbortSignal.any([signal, AbortSignal.timeout(STALLED_MS)]);
    await once(this.#response, 'drain', { signal: either });
  }

  /** Marks the end as OpenAI does. */
  async end(signal: AbortSignal): Promise<void> {
    await this.send('[DONE]', signal);
    this.#response.end();
  }
}
