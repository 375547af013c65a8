import type { ServerResponse } from 'node:http';
import type { Clock } from '../../shared/clock.ts';

/** A caller that does not read loses the last event. */
const LAST_EVENT_MS = 1_000;
const EVENT_END = /(?:^|\n|\r\n?)(?:\n|\r\n?)$/;
/** The longest end of an event. */
const END_BYTES = 4;

/** The end of a stream of events that is cut off: its last event says why, as OpenAI's clients understand it. */
export class CutStream {
  readonly #response: ServerResponse;
  /** The last bytes so far. */
  #tail = '';

  /** @returns null for an answer that is no stream of events, or whose bytes are encoded */
  static of(response: ServerResponse): CutStream | null {
    const type = String(response.getHeader('content-type') ?? '');
    const isEncoded = response.hasHeader('content-encoding') || response.hasHeader('content-length');
    return type.startsWith('text/event-stream') && !isEncoded ? new CutStream(response) : null;
  }

  private constructor(response: ServerResponse) {
    this.#response = response;
  }

  /** A part of it is passed on. */
  data(chunk: Buffer): void {
    this.#tail = (this.#tail + chunk.toString('latin1', Math.max(0, chunk.length - END_BYTES))).slice(-END_BYTES);
  }

  /** Closes the connection, after an event that says why, unless an event is cut off in its middle. */
  cut(message: string, clock: Clock): void {
    const response = this.#response;
    const close = () => void response.destroy();
    if (this.#tail !== '' && !EVENT_END.test(this.#tail)) {
      close();
      return;
    }
    const cancel = clock.after(LAST_EVENT_MS, close);
    response.once('close', cancel);
    const error = { message, type: 'server_error', param: null, code: 'model_server_failed' };
    response.write(`data: ${JSON.stringify({ error })}\n\n`, close);
  }
}
