import { inSeconds } from '../../shared/async/deadline.ts';
import { type WatchErrors, type WatchedAnswer, watchedRequest } from '../../shared/net/watched-request.ts';
import { RemoteCatalogTrouble } from './errors.ts';

export interface RemoteRequest {
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal: AbortSignal;
  readonly silenceMs: number;
  readonly maxBytes: number;
}

const errors: WatchErrors = {
  silent: (ms) => new RemoteCatalogTrouble('broken-off', `Nothing came from the catalog service for ${inSeconds(ms)}.`),
  tooLong: () => new RemoteCatalogTrouble('not-understood', 'The catalog service sends more than it should.'),
  failed,
};

/**
 * Asks one time, and follows nothing: a redirect is an answer like others, so that a token reaches one host only.
 * @throws RemoteCatalogTrouble `unreachable` or `broken-off`, or the reason of the signal; the body throws them too, and
 * `not-understood` when there is too much of it
 */
export function askRemote(url: string, request: RemoteRequest): Promise<WatchedAnswer> {
  const { method, headers, body, signal, silenceMs, maxBytes } = request;
  const asked = { method, headers, redirect: 'manual', ...(body !== undefined && { body }) } as const;
  const watch = { signal, answerMs: silenceMs, stallMs: silenceMs, progressBytes: 1, maxBytes, errors };
  return watchedRequest((ending) => fetch(url, { ...asked, signal: ending }), watch);
}

/** Before a connection stands nothing has been sent. */
function failed(error: unknown): Error {
  const { message, cause } = error as Error & { cause?: { code?: string; syscall?: string; message?: string } };
  const code = cause?.code ?? '';
  const isUnsent =
    /^(?:connect|getaddrinfo)$/.test(syscallOf(cause)) || /CERT|SIGNED|^ERR_(?:TLS|SSL)|CONNECT_TIMEOUT/.test(code);
  const why = code || cause?.message || message;
  return isUnsent
    ? new RemoteCatalogTrouble('unreachable', `The catalog service cannot be reached (${why}).`, { cause: error })
    : new RemoteCatalogTrouble('broken-off', `The connection to the catalog service broke (${why}).`, { cause: error });
}

/** A host of several addresses has an error for each. */
function syscallOf(cause: unknown): string {
  const error = cause instanceof AggregateError ? cause.errors[0] : cause;
  return (error as { syscall?: string } | undefined)?.syscall ?? '';
}
