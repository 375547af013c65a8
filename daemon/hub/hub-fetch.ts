import { setTimeout as sleep } from 'node:timers/promises';
import { AddressRefused, type SafeFetch } from '../shared/safe-fetch.ts';
import { onwardProblem } from '../shared/web-address.ts';
import { HubTrouble, troubleOf } from './errors.ts';
import { type HubPatience, retryDelayMs } from './retry.ts';
import { stalled, watchedBody } from './watched-body.ts';

/** One thing that the hub is asked for, which may take several requests. */
export interface HubQuestion {
  /** What is asked for, as a person would say it: `the Space me/dance`. */
  readonly what: string;
  readonly signal: AbortSignal;
  readonly maxBytes: number;
  readonly onTokenRefused: () => void;
}

/** Beyond this many pages a list is not the hub's. */
const MAX_REQUESTS = 500;

/**
 * The `fetch` that the hub's library is given: goes only where an address may point, gives the token to the hub alone,
 * repeats what the hub was too busy for, and waits for nothing without end.
 * @returns a `fetch` that throws HubTrouble, also for an answer that is not a success, or the reason of the signal
 */
export function hubFetch(
  { hubUrl, safeFetch, patience }: { hubUrl: string; safeFetch: SafeFetch; patience: HubPatience },
  question: HubQuestion,
): typeof fetch {
  const hubOrigin = new URL(hubUrl).origin;
  let requests = 0;
  return async (input, init) => {
    const url = input instanceof Request ? input.url : input.toString();
    requests += 1;
    if (requests > MAX_REQUESTS) throw new HubTrouble('broken', 'The hub answers page after page without end.');
    const problem = onwardProblem(hubUrl, url, { hubOrigin });
    if (problem !== null) throw new HubTrouble('refused-address', `The hub leads elsewhere. ${problem}`);
    const headers = new Headers(init?.headers);
    // An answer may name the address of the next request.
    if (new URL(url).origin !== hubOrigin) headers.delete('authorization');
    const isSignedIn = headers.has('authorization');

    let waitedMs = 0;
    for (let retries = 0; ; retries += 1) {
      const request = await ask(url, headers);
      const { response } = request;
      if (response.ok) return request.watched();
      request.end();
      const busy = { status: response.status, retryAfter: response.headers.get('retry-after') };
      const delayMs = retryDelayMs(busy, { retries, waitedMs }, patience, Date.now());
      if (delayMs === null) {
        if (response.status === 401 && isSignedIn && !response.headers.has('x-error-code')) question.onTokenRefused();
        throw troubleOf(response, { what: question.what, isSignedIn });
      }
      waitedMs += delayMs;
      await sleep(delayMs, undefined, { signal: question.signal }).catch(() => question.signal.throwIfAborted());
    }
  };

  async function ask(url: string, headers: Headers) {
    const { signal, maxBytes } = question;
    const { answerMs, stallMs } = patience;
    const ending = new AbortController();
    const end = (reason?: unknown) => ending.abort(reason);
    const timer = setTimeout(() => end(stalled(answerMs)), answerMs);
    try {
      const response = await safeFetch(url, { headers, signal: AbortSignal.any([signal, ending.signal]) });
      const watched = () => {
        if (!response.body) return response;
        const body = orTrouble(watchedBody(response.body, { stallMs, maxBytes, end }), signal);
        return answer(ReadableStream.from(body), response);
      };
      return { response, end, watched };
    } catch (error) {
      throw asTrouble(error, signal);
    } finally {
      clearTimeout(timer);
    }
  }
}

/** A `Response` can be made of a body, but not be told where it came from. */
function answer(body: ReadableStream, { status, headers, url }: Response): Response {
  return Object.defineProperty(new Response(body, { status, headers }), 'url', { value: url });
}

async function* orTrouble<T>(body: AsyncGenerator<T>, signal: AbortSignal): AsyncGenerator<T> {
  try {
    yield* body;
  } catch (error) {
    throw asTrouble(error, signal);
  }
}

/** What a network says when it fails, as the hub's trouble; a cancel stays what it is. */
function asTrouble(error: unknown, signal: AbortSignal): unknown {
  if (signal.aborted) return signal.reason;
  if (error instanceof HubTrouble) return error;
  if (error instanceof AddressRefused) return new HubTrouble('refused-address', error.message, undefined, error);
  const { message, cause } = error as Error & { cause?: { code?: string; message?: string } };
  const why = cause?.code ?? cause?.message ?? message;
  return message === 'terminated'
    ? new HubTrouble('unreachable', 'The connection to the hub broke.', undefined, error)
    : new HubTrouble('unreachable', `The hub cannot be reached (${why}).`, undefined, error);
}
