import { DomainError } from '../../shared/domain-error.ts';
import { RemoteCatalogTrouble } from './errors.ts';

/** How long a catalog service is waited for. */
export interface RemotePatience {
  /** For the beginning of an answer, and for each further piece of it. */
  readonly silenceMs: number;
  /** For a whole list, its repetitions included. */
  readonly listMs: number;
  /** For the answer to a deploy. */
  readonly deployMs: number;
  /** Before a list is asked for again where the service does not say; twice as long before the second time. */
  readonly retryMs: number;
  /** The longest that a service may have us wait before we ask again. */
  readonly longestRetryMs: number;
}

export const usualPatience: RemotePatience = {
  silenceMs: 30_000,
  listMs: 120_000,
  deployMs: 60_000,
  retryMs: 1_000,
  longestRetryMs: 20_000,
};

export interface RemoteRequest {
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal: AbortSignal;
  readonly silenceMs: number;
  readonly maxBytes: number;
}

/** To be disposed of, read or not: the connection ends with it. */
export interface RemoteAnswer extends Disposable {
  readonly status: number;
  readonly headers: Headers;
  readonly body: AsyncIterable<Uint8Array>;
}

/**
 * Asks one time, and follows nothing: a redirect is an answer like others, so that a token reaches one host only.
 * @throws RemoteCatalogTrouble `unreachable` or `broken-off`, or the reason of the signal; the body throws them too, and
 * `not-understood` when there is too much of it
 */
export async function askRemote(url: string, request: RemoteRequest): Promise<RemoteAnswer> {
  const { method, headers, body, silenceMs, maxBytes } = request;
  const ending = new AbortController();
  const signal = AbortSignal.any([request.signal, ending.signal]);
  const watched = <T>(work: Promise<T>) => inTime(work, silenceMs, ending);
  const asked = { method, headers, redirect: 'manual', signal, ...(body !== undefined && { body }) } as const;
  const response = await watched(fetch(url, asked));
  return {
    status: response.status,
    headers: response.headers,
    body: read(response.body, maxBytes, watched),
    [Symbol.dispose]: () => ending.abort(),
  };
}

/** A signal that ends what takes too long, or ends with another one. */
export function deadline(limitMs: number, other: AbortSignal): Disposable & { readonly signal: AbortSignal } {
  const late = new AbortController();
  const message = `The catalog service takes too long: more than ${seconds(limitMs)}.`;
  const timer = setTimeout(() => late.abort(new RemoteCatalogTrouble('broken-off', message)), limitMs);
  return { signal: AbortSignal.any([late.signal, other]), [Symbol.dispose]: () => clearTimeout(timer) };
}

async function* read(
  body: ReadableStream<Uint8Array> | null,
  maxBytes: number,
  watched: <T>(work: Promise<T>) => Promise<T>,
): AsyncGenerator<Uint8Array> {
  if (!body) return;
  const reader = body.getReader();
  let bytes = 0;
  for (;;) {
    const { done, value } = await watched(reader.read());
    if (done) return;
    bytes += value.length;
    if (bytes > maxBytes) {
      throw new RemoteCatalogTrouble('not-understood', 'The catalog service sends more than it should.');
    }
    yield value;
  }
}

async function inTime<T>(work: Promise<T>, silenceMs: number, ending: AbortController): Promise<T> {
  const message = `Nothing came from the catalog service for ${seconds(silenceMs)}.`;
  const timer = setTimeout(() => ending.abort(new RemoteCatalogTrouble('broken-off', message)), silenceMs);
  try {
    return await work;
  } catch (error) {
    throw understood(error);
  } finally {
    clearTimeout(timer);
  }
}

/** Before a connection stands nothing has been sent. */
function understood(error: unknown): Error {
  if (error instanceof DomainError) return error;
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

function seconds(ms: number): string {
  return `${Math.round(ms / 1000)} seconds`;
}
