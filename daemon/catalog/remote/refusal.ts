import type { WatchedAnswer } from '../../shared/net/watched-request.ts';
import { RemoteCatalogTrouble, type RemoteTroubleKind } from './errors.ts';
import { remoteWords } from './remote-text.ts';

/** More is no error's text, and no endpoint. */
const MAX_CHARACTERS = 1024 ** 2;

/** What an answer other than success means, with the service's own words in it. */
export async function refusal(answer: WatchedAnswer, token: string | null): Promise<RemoteCatalogTrouble> {
  const { status, headers } = answer.response;
  const [kind, ours] = meaning(status, token !== null);
  const body = await smallJson(answer.body).catch(() => null); // the status has said what counts
  const words = remoteWords(body, (text) => (token === null ? text : text.replaceAll(token, '…')));
  // About what was asked for, the service's words say it all.
  const isAboutQuestion = kind === 'rejected' || kind === 'not-found' || kind === 'conflict';
  const sentences = isAboutQuestion && words.sentence !== null ? [words.sentence] : [ours, words.sentence];
  return new RemoteCatalogTrouble(kind, sentences.filter((sentence) => sentence !== null).join(' '), {
    issues: words.issues,
    retryAfter: headers.get('retry-after'),
  });
}

/** @returns undefined when it is no JSON @throws what reading it throws, RemoteCatalogTrouble when it is too long */
export async function smallJson(body: AsyncIterable<Uint8Array>): Promise<unknown> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const bytes of body) {
    text += decoder.decode(bytes, { stream: true });
    if (text.length > MAX_CHARACTERS) {
      throw new RemoteCatalogTrouble('not-understood', 'The catalog service sends more than it should.');
    }
  }
  try {
    return JSON.parse(text + decoder.decode());
  } catch {
    return undefined;
  }
}

function meaning(status: number, hasToken: boolean): readonly [RemoteTroubleKind, string] {
  switch (status) {
    case 400:
    case 422:
      return ['rejected', `The catalog service refuses this and does not say why (status ${status}).`];
    case 401:
      return hasToken
        ? ['auth', 'The catalog service does not accept the token that is kept for it.']
        : ['auth', 'The catalog service wants a token, and none is kept for it.'];
    case 403:
      return ['auth', 'The catalog service does not allow this to the token that is kept for it.'];
    case 404:
      return ['not-found', 'The catalog service has no such model or recipe.'];
    case 409:
      return ['conflict', 'The catalog service has no compute for it.'];
    case 429:
      return ['busy', 'The catalog service was asked too often and wants us to wait.'];
    default:
      if (status >= 500) return ['out-of-order', `The catalog service is out of order (status ${status}).`];
      return status >= 300 && status < 400
        ? ['not-understood', 'The catalog service leads elsewhere. Enter the address that it leads to.']
        : ['not-understood', `The catalog service answers with a status that nobody expects (${status}).`];
  }
}
