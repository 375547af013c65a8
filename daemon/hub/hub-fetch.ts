import { secondsText } from '../shared/async/deadline.ts';
import { type RetryPolicy, TransientFailure, withRetries } from '../shared/async/retry.ts';
import type { Clock } from '../shared/clock.ts';
import { AddressRefused, type SafeFetch, type SafeRequest } from '../shared/net/safe-fetch.ts';
import { type RequestWatch, type WatchErrors, watchedRequest } from '../shared/net/watched-request.ts';
import { onwardProblem } from '../shared/net/web-address.ts';
import { HubError, hubErrorOf } from './errors.ts';
import type { HubRepository } from './hub-address.ts';

/** One operation on the hub, which may take several HTTP requests. */
export interface HubRequest {
  /** The requested object for error messages: `Space me/dance`. */
  readonly what: string;
  /** The type of the repository that it is, or belongs to. */
  readonly type: HubRepository['type'];
  readonly signal: AbortSignal;
  readonly maxBytes: number;
  /** The most HTTP requests, against an endless list. */
  readonly maxRequests: number;
  readonly onTokenRefused: () => void;
}

/** The slowest upload, in bytes a millisecond, for which the hub's answer is awaited. */
const UPLOAD_BYTES_PER_MS = 50;
/** Fewer bytes of a body than this do not count as progress. */
const PROGRESS_BYTES = 1_000;
/** Statuses after which a request is retried. */
const busy: ReadonlySet<number> = new Set([429, 500, 502, 503, 504]);

const errors: WatchErrors = {
  silent: (ms) => new HubError('stalled', `Nothing came from the hub for ${secondsText(ms)}.`),
  tooLong: () => new HubError('broken', 'The answer of the hub is too large.'),
  failed,
};

/**
 * The `fetch` for the hub's library: requests only allowed addresses, sends the token only to the hub, retries when the
 * hub is busy, and has time limits. Its requests can be repeated: a new repository that exists already and a commit
 * whose parent is no longer the newest are refused by the hub, and uploads are named by their content.
 * @returns a `fetch` that throws HubError, also for an answer that is not a success, or the reason of the signal
 */
export function hubFetch(
  deps: { clock: Clock; hubUrl: string; safeFetch: SafeFetch; timeouts: HubTimeouts },
  request: HubRequest,
): typeof fetch {
  const { clock, hubUrl, safeFetch, timeouts } = deps;
  const hubOrigin = new URL(hubUrl).origin;
  const { signal, maxBytes, maxRequests } = request;
  const { answerMs, stallMs } = timeouts;
  const limits = { signal, stallMs, progressBytes: PROGRESS_BYTES, maxBytes, errors };
  let requests = 0;
  return async (input, init) => {
    const url = input instanceof Request ? input.url : input.toString();
    requests += 1;
    if (requests > maxRequests) throw new HubError('broken', 'The list of the hub has too many pages.');
    const problem = onwardProblem(hubUrl, url, { hubOrigin });
    if (problem !== null) throw new HubError('refused-address', `The hub redirects to a forbidden address. ${problem}`);
    const headers = new Headers(init?.headers);
    // The next request may go to another server, whose address is in the hub's answer.
    if (new URL(url).origin !== hubOrigin) headers.delete('authorization');
    const isSignedIn = headers.has('authorization');
    const sent = whatIsSent(init);
    const watch: RequestWatch = { ...limits, answerMs: answerMs + sent.bytes / UPLOAD_BYTES_PER_MS };

    const attempt = async () => {
      const answer = await watchedRequest(
        clock,
        (signal) => safeFetch(url, { ...sent.request, headers, signal }),
        watch,
      );
      const { response, body } = answer;
      if (response.ok) return response.body ? withBody(ReadableStream.from(body), response) : response;
      answer[Symbol.dispose]();
      const error = hubErrorOf(response, {
        what: request.what,
        type: request.type,
        isSignedIn,
        writes: sent.writes,
      });
      if (busy.has(response.status)) throw new TransientFailure(error, response.headers.get('retry-after'));
      if (response.status === 401 && isSignedIn && !response.headers.has('x-error-code')) request.onTokenRefused();
      throw error;
    };
    return withRetries(clock, attempt, timeouts, request.signal);
  };
}

/** @throws TypeError for a method or a body that the hub's library does not use */
function whatIsSent(init: RequestInit | undefined): {
  request: Pick<SafeRequest, 'method' | 'body'>;
  bytes: number;
  writes: boolean;
} {
  const { method = 'GET', body = null } = init ?? {};
  if (method === 'GET' || method === 'HEAD') return { request: { method }, bytes: 0, writes: false };
  const isSendable = typeof body === 'string' || body instanceof Blob;
  if ((method !== 'POST' && method !== 'PUT') || !isSendable) throw new TypeError(`${method} is not supported`);
  return { request: { method, body }, bytes: typeof body === 'string' ? body.length : body.size, writes: true };
}

/** A response with another body. The constructor of `Response` cannot set `url`. */
function withBody(body: ReadableStream, { status, headers, url }: Response): Response {
  return Object.defineProperty(new Response(body, { status, headers }), 'url', { value: url });
}

function failed(error: unknown): HubError {
  if (error instanceof AddressRefused) return new HubError('refused-address', error.message, undefined, error);
  const { message, cause } = error as Error & { cause?: { code?: string; message?: string } };
  const why = cause?.code ?? cause?.message ?? message;
  return message === 'terminated'
    ? new HubError('unreachable', 'The connection to the hub was lost.', undefined, error)
    : new HubError('unreachable', `The hub cannot be reached${whyText(why)}.`, undefined, error);
}

/** Without a network, the system does not find the hub's name. */
const whyText = (why: string) =>
  why === 'ENOTFOUND' || why === 'EAI_AGAIN' ? ': this machine seems to be offline' : ` (${why})`;

/** Time limits of requests to the hub, milliseconds. */
export const defaultTimeouts = {
  /** Limit for the beginning of an answer. */
  answerMs: 30_000,
  /** Limit for the next bytes of an answer. */
  stallMs: 30_000,
  retries: 3,
  retryMs: 1_000,
  longestRetryMs: 60_000,
  retriesMs: 60_000,
} satisfies RetryPolicy & Record<string, number>;
export type HubTimeouts = Readonly<typeof defaultTimeouts>;
