import type * as Library from '@huggingface/hub';
import type { Clock } from '../shared/clock.ts';
import { type SafeFetch, safeFetch } from '../shared/net/safe-fetch.ts';
import { type HubRepository, hubAddress, repositoryText } from './hub-address.ts';
import { defaultTimeouts, type HubTimeouts, hubFetch } from './hub-fetch.ts';

export interface HubLibraryDeps {
  /** null: the library's default. */
  readonly hubUrl: string | null;
  /** The token for private repositories; null when there is none. */
  readonly token: () => Promise<string | null>;
  readonly onTokenRefused: (token: string) => void;
  readonly clock: Clock;
  readonly timeouts?: Partial<HubTimeouts>;
}

/** The subject of an operation, which error messages name: a repository, or `what` it says. */
type Subject = HubRepository | { readonly type: HubRepository['type']; readonly what: string };

type Access = { hubUrl: string; fetch: typeof fetch; accessToken?: string };

const MAX_ANSWER_BYTES = 32 * 1024 ** 2;
const MAX_REQUESTS = 500;

/** Loads the hub's library, and gives it the address, the token and the limits of each operation. */
export class HubLibrary {
  readonly #deps: HubLibraryDeps;
  readonly #timeouts: HubTimeouts;
  #loading: Promise<{ library: typeof Library; url: string; safeFetch: SafeFetch }> | null = null;

  constructor(deps: HubLibraryDeps) {
    this.#deps = deps;
    this.#timeouts = { ...defaultTimeouts, ...deps.timeouts };
  }

  /** The hub's address, without a slash at its end. Sends no request. */
  async address(): Promise<string> {
    return (await this.#load()).url;
  }

  /**
   * Prepares one operation.
   * @param options.token in place of the stored one
   * @param options.maxBytes limit of an answer
   * @param options.maxRequests limit of HTTP requests
   * @returns the library, and in `access` the arguments that its functions need; `hasRequested`, `failure` and `answer`
   * say whether it has sent a request, and how the last one ended
   * @throws the reason of the signal
   */
  async prepare(
    subject: Subject,
    signal: AbortSignal,
    {
      token,
      maxBytes = MAX_ANSWER_BYTES,
      maxRequests = MAX_REQUESTS,
    }: { readonly token?: string; readonly maxBytes?: number; readonly maxRequests?: number } = {},
  ) {
    const { onTokenRefused, clock } = this.#deps;
    const { library, url, safeFetch } = await this.#load();
    const accessToken = token ?? (await this.#deps.token());
    signal.throwIfAborted();
    let hasRequested = false;
    let failed: unknown;
    let answer: Response | undefined;
    const request = hubFetch(
      { clock, hubUrl: url, safeFetch, timeouts: this.#timeouts },
      {
        what: 'what' in subject ? subject.what : repositoryText(subject),
        type: subject.type,
        signal,
        maxBytes,
        maxRequests,
        onTokenRefused: () => token === undefined && accessToken && onTokenRefused(accessToken),
      },
    );
    const access: Access = {
      hubUrl: url,
      ...(accessToken !== null && { accessToken }),
      fetch: async (input, init) => {
        hasRequested = true;
        try {
          answer = await request(input, init);
          return answer;
        } catch (error) {
          failed = error;
          throw error;
        }
      },
    };
    return { library, access, hasRequested: () => hasRequested, failure: () => failed, answer: () => answer };
  }

  /** Loads the library with the first request: it takes 10 MB of memory and 30 ms or more to load. */
  #load() {
    this.#loading ??= import('@huggingface/hub').then(async (library) => {
      const url = await hubAddress(this.#deps.hubUrl);
      return { library, url, safeFetch: safeFetch({ hubOrigin: new URL(url).origin }) };
    });
    return this.#loading;
  }
}
