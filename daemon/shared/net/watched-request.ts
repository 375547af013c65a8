import type { Clock } from '../clock.ts';

export interface RequestWatch {
  readonly signal: AbortSignal;
  /** The longest wait for the response to begin. */
  readonly answerMs: number;
  /** The longest wait for progress of the body; the reader's own time does not count. */
  readonly stallMs: number;
  /** The number of bytes that count as progress. */
  readonly progressBytes: number;
  readonly maxBytes: number;
  readonly errors: WatchErrors;
}

/** The errors that a watched request throws; each names its service. */
export interface WatchErrors {
  /** Nothing arrived for `ms`. */
  readonly silent: (ms: number) => Error;
  readonly tooLong: () => Error;
  /** @param error what `fetch` or its body threw when the network failed */
  readonly failed: (error: unknown) => unknown;
}

/** A response. The caller disposes of it, read or not, which closes its connection. */
export interface WatchedAnswer extends Disposable {
  readonly response: Response;
  /** Reading throws the errors of the request, and `tooLong`. */
  readonly body: AsyncIterable<Uint8Array>;
}

/**
 * Sends one request, with limits on the waits for its response and its body.
 * @param send sends the request, and aborts it with the signal
 * @throws the reason of the signal, `silent`, or what `failed` makes of an error
 */
export async function watchedRequest(
  clock: Clock,
  send: (signal: AbortSignal) => Promise<Response>,
  { signal, answerMs, stallMs, progressBytes, maxBytes, errors }: RequestWatch,
): Promise<WatchedAnswer> {
  const ending = new AbortController();
  const end = (reason?: unknown) => ending.abort(reason);
  const failure = (error: unknown): unknown => {
    if (signal.aborted) return signal.reason;
    return ending.signal.aborted ? ending.signal.reason : errors.failed(error);
  };
  /** Awaits a step of the request, which ends when nothing comes for the rest of a limit. */
  const within = async <T>(leftMs: number, limitMs: number, step: Promise<T>): Promise<T> => {
    const cancel = clock.after(leftMs, () => end(errors.silent(limitMs)));
    try {
      return await step;
    } catch (error) {
      throw failure(error);
    } finally {
      cancel();
    }
  };
  const watched = async function* (body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
    const reader = body.getReader();
    let [bytes, progress, leftMs] = [0, 0, stallMs];
    try {
      for (;;) {
        const began = clock.elapsedMs();
        const { done, value } = await within(leftMs, stallMs, reader.read());
        if (done) return;
        leftMs = Math.max(0, leftMs - (clock.elapsedMs() - began));
        bytes += value.length;
        if (bytes > maxBytes) throw errors.tooLong();
        progress += value.length;
        if (progress >= progressBytes) [progress, leftMs] = [0, stallMs];
        yield value;
      }
    } finally {
      end();
    }
  };
  const response = await within(answerMs, answerMs, send(AbortSignal.any([signal, ending.signal])));
  const body = response.body ? watched(response.body) : nothing();
  return { response, body, [Symbol.dispose]: end };
}

async function* nothing(): AsyncGenerator<Uint8Array> {}
