import type { ServerResponse } from 'node:http';
import type { Dispatcher, Pool } from 'undici';
import type { Clock } from '../../shared/clock.ts';
import { GatewayRefusal } from './gateway-refusal.ts';
import { type AnswerHeaders, copyAnswerHeaders } from './passed-headers.ts';

/** The result of one try to have a request answered. */
export type ExchangeResult =
  /** The whole answer was passed on. */
  | { readonly kind: 'answered'; readonly status: number }
  /** The replica was lost before it began to answer: another try may be made. `sent`: it may have had the request. */
  | { readonly kind: 'lost'; readonly sent: boolean }
  /** The request has left a replica that no longer answers: another one could have it. */
  | { readonly kind: 'left' }
  /** The replica gave no usable answer, and the caller has none yet. */
  | { readonly kind: 'refused'; readonly refusal: GatewayRefusal }
  /** The answer ended too early; the caller's connection is closed. */
  | { readonly kind: 'broken' }
  /** The caller is gone. */
  | { readonly kind: 'cancelled' };

export interface ExchangeDeadlines {
  /** To the head of the answer. A long generation that is not streamed has no head until its end. */
  readonly headMs: number;
  /** Without a byte passed on, in either direction of a body. */
  readonly idleMs: number;
}

interface ExchangeOptions {
  readonly clock: Clock;
  readonly pool: Pool;
  readonly request: Pick<Dispatcher.DispatchOptions, 'method' | 'path' | 'headers' | 'body'>;
  readonly response: ServerResponse;
  /** Aborted once the caller is gone. */
  readonly signal: AbortSignal;
  /** Aborted when the replica no longer answers and another one could; absent: never. */
  readonly lost?: AbortSignal;
  readonly deadlines: ExchangeDeadlines;
  readonly watchers: readonly AnswerWatcher[];
  /** Called at the first byte of the answer: from now on there is no other try. */
  readonly onBegun: () => void;
}

/** A model server may send progress as interim answers; more are a fault. */
const MAX_INTERIM_ANSWERS = 100;

/** Sends a request to a replica, and passes its answer on while it arrives. Never rejects. */
export function exchange(options: ExchangeOptions): Promise<ExchangeResult> {
  const { promise, resolve } = Promise.withResolvers<ExchangeResult>();
  const run = new Exchange(options, resolve);
  run.start();
  return promise;
}

class Exchange implements Dispatcher.DispatchHandler {
  readonly #options: ExchangeOptions;
  readonly #resolve: (result: ExchangeResult) => void;
  #controller: Dispatcher.DispatchController | null = null;
  #cancelDeadline: () => void;
  /** When a byte of the body was passed on last. */
  #passedOnMs = 0;
  #hasBegun = false;
  #isOver = false;
  #interimAnswers = 0;
  #status = 0;
  #hasWritten = false;
  /** null: the answer is no stream of events. */
  #stream: CutStream | null = null;

  constructor(options: ExchangeOptions, resolve: (result: ExchangeResult) => void) {
    this.#options = options;
    this.#resolve = resolve;
    this.#cancelDeadline = options.clock.after(options.deadlines.headMs, () =>
      this.#refuse('model-server-silent', 'The model server did not answer in time.'),
    );
  }

  start(): void {
    const { pool, request, signal, lost } = this.#options;
    signal.addEventListener('abort', this.#onAbort);
    lost?.addEventListener('abort', this.#onLost);
    if (signal.aborted) this.#onAbort();
    else if (lost?.aborted) this.#onLost();
    else pool.dispatch(request, this); // it reports every error to this handler
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#isOver) controller.abort(new Error('the exchange is over'));
  }

  /** The first byte of an answer. */
  onResponseStarted(): void {
    if (this.#hasBegun) return;
    this.#hasBegun = true;
    this.#options.onBegun();
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: AnswerHeaders): void {
    const { response, watchers } = this.#options;
    if (this.#isOver) return;
    this.onResponseStarted();
    const fault = this.#faultOf(status) ?? (status >= 200 ? copyAnswerHeaders(headers, status, response) : null);
    if (fault !== null) this.#refuse('model-server-failed', `The model server ${fault}.`);
    if (fault !== null || status < 200) return;
    this.#status = status;
    for (const watcher of watchers) watcher.head(status, response, headers);
    this.#stream = CutStream.of(response);
    response.writeHead(status);
    // The head leaves together with the first bytes of the body if they are here too.
    process.nextTick(() => {
      if (!this.#hasWritten && !this.#isOver) response.flushHeaders();
    });
    this.#cancelDeadline();
    this.#passedOn();
    this.#breakWhenIdle();
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    const { response, watchers } = this.#options;
    if (this.#isOver) return;
    this.#passedOn();
    this.#hasWritten = true;
    for (const watcher of watchers) watcher.data(chunk);
    this.#stream?.data(chunk);
    if (response.write(chunk)) return;
    controller.pause();
    response.once('drain', () => {
      this.#passedOn();
      controller.resume();
    });
  }

  onResponseEnd(): void {
    if (this.#isOver) return;
    this.#options.response.end();
    this.#end({ kind: 'answered', status: this.#status });
  }

  onResponseError(_controller: Dispatcher.DispatchController | null, error: Error & { readonly code?: string }): void {
    const { code = '' } = error;
    if (this.#isOver) return;
    if (this.#status !== 0) this.#break('The model server ended before its answer was complete.');
    else if (!this.#hasBegun && losses.has(code)) this.#end({ kind: 'lost', sent: this.#controller !== null });
    else if (code === 'UND_ERR_INVALID_ARG')
      this.#refuse('invalid-request', 'The path or a header holds a character that cannot be sent.');
    else this.#refuse('model-server-failed', 'The model server sent an answer that is not valid HTTP.');
  }

  #faultOf(status: number): string | null {
    if (status < 200) this.#interimAnswers += 1;
    if (this.#interimAnswers > MAX_INTERIM_ANSWERS) return 'sends interim answers only';
    if (status >= 300 && status < 400 && status !== 304) return 'answered with a redirect, which is not passed on';
    return status > 599 ? `answered with the status ${status}` : null;
  }

  readonly #onAbort = (): void => {
    this.#end({ kind: 'cancelled' });
    this.#abort();
  };

  /** A request that it has begun to answer stays with it. */
  readonly #onLost = (): void => {
    if (this.#hasBegun || this.#isOver) return;
    this.#end({ kind: 'left' });
    this.#abort();
  };

  #passedOn(): void {
    this.#passedOnMs = this.#options.clock.elapsedMs();
  }

  /** Sets no timer for each byte: it looks once the limit is over, and again if something was passed on meanwhile. */
  #breakWhenIdle(): void {
    const { clock, deadlines } = this.#options;
    const leftMs = this.#passedOnMs + deadlines.idleMs - clock.elapsedMs();
    if (leftMs <= 0) this.#break('The model server stopped in the middle of its answer.');
    else this.#cancelDeadline = clock.after(leftMs, () => this.#breakWhenIdle());
  }

  /** Ends an answer that the caller has a part of: a closed connection, so that it does not look whole; a stream says why first. */
  #break(message: string): void {
    const { response, clock } = this.#options;
    this.#end({ kind: 'broken' });
    if (this.#stream) this.#stream.cut(message, clock);
    else response.destroy();
    this.#abort();
  }

  #refuse(kind: 'model-server-failed' | 'model-server-silent' | 'invalid-request', message: string): void {
    this.#end({ kind: 'refused', refusal: new GatewayRefusal(kind, message) });
    this.#abort();
  }

  #abort(): void {
    this.#controller?.abort(new Error('the exchange is over'));
  }

  #end(result: ExchangeResult): void {
    this.#isOver = true;
    this.#cancelDeadline();
    this.#options.signal.removeEventListener('abort', this.#onAbort);
    this.#options.lost?.removeEventListener('abort', this.#onLost);
    this.#resolve(result);
  }
}

/** Errors of a replica that is gone, or of a connection that it does not accept now. */
const losses = new Set([
  'UND_ERR_SOCKET',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_DESTROYED',
  'UND_ERR_CLOSED',
  'ECONNRESET',
  'ECONNREFUSED',
  'ECONNABORTED',
  'EHOSTUNREACH', // a container whose network is gone
  'ENOENT',
  'EPIPE',
  'EAGAIN', // its queue of connections is full
]);

/** Watches an answer pass to the caller. */
export interface AnswerWatcher {
  /** The head was taken over: `response` has the headers that pass. @param headers those of the model server */
  head(status: number, response: ServerResponse, headers: AnswerHeaders): void;
  data(chunk: Buffer): void;
}

/** A caller that does not read loses the last event. */
const LAST_EVENT_MS = 1_000;
const EVENT_END = /(?:^|\n|\r\n?)(?:\n|\r\n?)$/;
/** The longest end of an event. */
const END_BYTES = 4;

/** The end of a stream of events that is cut off: its last event says why, as OpenAI's clients understand it. */
class CutStream {
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
