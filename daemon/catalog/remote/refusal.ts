import type { WatchedAnswer } from '../../shared/net/watched-request.ts';
import { RemoteCatalogFailed, type RemoteFailureKind } from './errors.ts';
import { remoteText } from './remote-text.ts';

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
