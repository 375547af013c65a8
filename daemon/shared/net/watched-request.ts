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
  watch: RequestWatch,
): Promise<WatchedAnswer> {
  const ending = new AbortController();
  const end = (reason?: unknown) => ending.abort(reason);
  const failure = (error: unknown) => {
    if (watch.signal.aborted) return watch.signal.reason;
    return ending.signal.aborted ? ending.signal.reason : watch.errors.failed(error);
  };
  const cancel = clock.after(watch.answerMs, () => end(watch.errors.silent(watch.answerMs)));
  try {
    const response = await send(AbortSignal.any([watch.signal, ending.signal]));
    const body = watchedBody(clock, response.body, { ...watch, end, failure });
    return { response, body, [Symbol.dispose]: end };
  } catch (error) {
    throw failure(error);
  } finally {
    cancel();
  }
}

interface BodyWatch extends Pick<RequestWatch, 'stallMs' | 'progressBytes' | 'maxBytes' | 'errors'> {
  /** Ends the request that the body belongs to. */
  readonly end: (reason?: unknown) => void;
  readonly failure: (error: unknown) => unknown;
}

async function* watchedBody(
  clock: Clock,
  body: ReadableStream<Uint8Array> | null,
  { stallMs, progressBytes, maxBytes, errors, end, failure }: BodyWatch,
): AsyncGenerator<Uint8Array> {
  if (!body) return;
  const reader = body.getReader();
  let bytes = 0;
  let progress = 0;
  let leftMs = stallMs;
  const read = async () => {
    const cancel = clock.after(leftMs, () => end(errors.silent(stallMs)));
    try {
      return await reader.read();
    } catch (error) {
      throw failure(error);
    } finally {
      cancel();
    }
  };
  try {
    for (;;) {
      const began = clock.elapsedMs();
      const { done, value } = await read();
      if (done) return;
      leftMs = Math.max(0, leftMs - (clock.elapsedMs() - began));
      bytes += value.length;
      if (bytes > maxBytes) throw errors.tooLong();
      progress += value.length;
      if (progress >= progressBytes) {
        progress = 0;
        leftMs = stallMs;
      }
      yield value;
    }
  } finally {
    end();
  }
}
