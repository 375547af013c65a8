import { inSeconds } from '../shared/async/deadline.ts';
import { PassingFailure, withRetries } from '../shared/async/retry.ts';
import { AddressRefused, type SafeFetch } from '../shared/net/safe-fetch.ts';
import { type RequestWatch, type WatchErrors, watchedRequest } from '../shared/net/watched-request.ts';
import { onwardProblem } from '../shared/net/web-address.ts';
import { HubTrouble, troubleOf } from './errors.ts';
import type { HubPatience } from './hub-deadlines.ts';

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
/** Fewer bytes of a body than this are no progress. */
const PROGRESS_BYTES = 1_000;
/** The statuses of a hub that may answer otherwise a moment later. */
const busy: ReadonlySet<number> = new Set([429, 500, 502, 503, 504]);

const errors: WatchErrors = {
  silent: (ms) => new HubTrouble('stalled', `Nothing came from the hub for ${inSeconds(ms)}.`),
  tooLong: () => new HubTrouble('broken', 'The hub sends more than it should.'),
  failed,
};

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
  const { signal, maxBytes } = question;
  const { answerMs, stallMs } = patience;
  const watch: RequestWatch = { signal, answerMs, stallMs, progressBytes: PROGRESS_BYTES, maxBytes, errors };
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

    const attempt = async () => {
      const answer = await watchedRequest((signal) => safeFetch(url, { headers, signal }), watch);
      const { response, body } = answer;
      if (response.ok) return response.body ? withBody(ReadableStream.from(body), response) : response;
      answer[Symbol.dispose]();
      const trouble = troubleOf(response, { what: question.what, isSignedIn });
      if (busy.has(response.status)) throw new PassingFailure(trouble, response.headers.get('retry-after'));
      if (response.status === 401 && isSignedIn && !response.headers.has('x-error-code')) question.onTokenRefused();
      throw trouble;
    };
    return withRetries(attempt, patience, question.signal);
  };
}

/** A `Response` can be made of a body, but not be told where it came from. */
function withBody(body: ReadableStream, { status, headers, url }: Response): Response {
  return Object.defineProperty(new Response(body, { status, headers }), 'url', { value: url });
}

/** A failure of the network as the hub's trouble. */
function failed(error: unknown): HubTrouble {
  if (error instanceof AddressRefused) return new HubTrouble('refused-address', error.message, undefined, error);
  const { message, cause } = error as Error & { cause?: { code?: string; message?: string } };
  const why = cause?.code ?? cause?.message ?? message;
  return message === 'terminated'
    ? new HubTrouble('unreachable', 'The connection to the hub broke.', undefined, error)
    : new HubTrouble('unreachable', `The hub cannot be reached (${why}).`, undefined, error);
}
