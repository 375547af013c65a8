import { secondsText } from '../../shared/async/deadline.ts';
import type { Clock } from '../../shared/clock.ts';
import { type WatchErrors, type WatchedAnswer, watchedRequest } from '../../shared/net/watched-request.ts';
import { RemoteCatalogFailed } from './errors.ts';

export interface RemoteRequest {
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal: AbortSignal;
  readonly silenceMs: number;
  readonly maxBytes: number;
}

const errors: WatchErrors = {
  silent: (ms) => new RemoteCatalogFailed('interrupted', `The catalog service sent nothing for ${secondsText(ms)}.`),
  tooLong: () => new RemoteCatalogFailed('invalid-answer', 'The answer of the catalog service is too large.'),
  failed,
};

/**
 * Sends one request. Redirects are returned, not followed, so that a token reaches one host only.
 * @throws RemoteCatalogFailed `unreachable` or `interrupted`, or the signal's reason. The body throws these too, and
 * `invalid-answer` when it is too large.
 */
export function askRemote(clock: Clock, url: string, request: RemoteRequest): Promise<WatchedAnswer> {
  const { method, headers, body, signal, silenceMs, maxBytes } = request;
  const init = { method, headers, redirect: 'manual', ...(body !== undefined && { body }) } as const;
  const watch = { signal, answerMs: silenceMs, stallMs: silenceMs, progressBytes: 1, maxBytes, errors };
  return watchedRequest(clock, (ending) => fetch(url, { ...init, signal: ending }), watch);
}

/** `unreachable` for a failure before the connection was established: nothing was sent then. */
function failed(error: unknown): Error {
  const { message, cause } = error as Error & { cause?: { code?: string; syscall?: string; message?: string } };
  const code = cause?.code ?? '';
  const isUnsent =
    /^(?:connect|getaddrinfo)$/.test(syscallOf(cause)) || /CERT|SIGNED|^ERR_(?:TLS|SSL)|CONNECT_TIMEOUT/.test(code);
  const why = code || cause?.message || message;
  return isUnsent
    ? new RemoteCatalogFailed('unreachable', `The catalog service cannot be reached (${why}).`, { cause: error })
    : new RemoteCatalogFailed('interrupted', `The connection to the catalog service broke (${why}).`, { cause: error });
}

/** A host with several addresses has an error for each. */
function syscallOf(cause: unknown): string {
  const error = cause instanceof AggregateError ? cause.errors[0] : cause;
  return (error as { syscall?: string } | undefined)?.syscall ?? '';
}
