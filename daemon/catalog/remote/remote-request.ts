import { secondsText } from '../../shared/async/deadline.ts';
import type { Clock } from '../../shared/clock.ts';
import { type WatchErrors, type WatchedAnswer, watchedRequest } from '../../shared/net/watched-request.ts';
import { RemoteCatalogFailed, type RemoteFailureKind } from './errors.ts';
import { remoteText } from './remote-text.ts';

interface RemoteRequest {
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

/** The limit for an error's body or an endpoint. */
const MAX_CHARACTERS = 1024 ** 2;

/** The error for an unsuccessful answer, with the service's own text. */
export async function refusal(answer: WatchedAnswer, token: string | null): Promise<RemoteCatalogFailed> {
  const { status, headers } = answer.response;
  const [kind, ours] = meaning(status, token !== null);
  const body = await smallJson(answer.body).catch(() => null); // the status suffices
  const words = remoteText(body, (text) => (token === null ? text : text.replaceAll(token, '…')));
  // For errors about the request, the service's text suffices.
  const isAboutRequest = kind === 'rejected' || kind === 'not-found' || kind === 'conflict';
  const sentences = isAboutRequest && words.sentence !== null ? [words.sentence] : [ours, words.sentence];
  return new RemoteCatalogFailed(kind, sentences.filter((sentence) => sentence !== null).join(' '), {
    issues: words.issues,
    retryAfter: headers.get('retry-after'),
  });
}

/** @returns undefined for invalid JSON @throws the body's own errors, RemoteCatalogFailed when it is too long */
export async function smallJson(body: AsyncIterable<Uint8Array>): Promise<unknown> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const bytes of body) {
    text += decoder.decode(bytes, { stream: true });
    if (text.length > MAX_CHARACTERS) {
      throw new RemoteCatalogFailed('invalid-answer', 'The answer of the catalog service is too large.');
    }
  }
  try {
    return JSON.parse(text + decoder.decode());
  } catch {
    return undefined;
  }
}

function meaning(status: number, hasToken: boolean): readonly [RemoteFailureKind, string] {
  switch (status) {
    case 400:
    case 422:
      return ['rejected', `The catalog service refuses this without a reason (status ${status}).`];
    case 401:
      return hasToken
        ? ['auth', 'The catalog service does not accept the saved token.']
        : ['auth', 'The catalog service requires a token, and none is saved.'];
    case 403:
      return ['auth', 'The saved token has no permission for this on the catalog service.'];
    case 404:
      return ['not-found', 'The catalog service has no such model or recipe.'];
    case 409:
      return ['conflict', 'The catalog service has no compute for this model.'];
    case 429:
      return ['busy', 'The catalog service received too many requests. Try again later.'];
    default:
      if (status >= 500) return ['server-error', `The catalog service has an internal error (status ${status}).`];
      return status >= 300 && status < 400
        ? ['invalid-answer', 'The catalog service redirects to another address. Enter that address.']
        : ['invalid-answer', `The catalog service answered with the unexpected status ${status}.`];
  }
}
