import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { forwardedHeaders } from '../messages/request-headers.ts';
import { changesAnswer } from './cache-rules.ts';

/** Identifies a request among those whose answer is the same. A hash, so that the cache keeps no request. */
export class RequestKey {
  readonly #hash = createHash('sha256');

  /**
   * @param endpoint the id of the endpoint, and the version of the settings that its answers depend on
   * @param pathAndQuery as sent
   */
  constructor(
    endpoint: { readonly id: string; readonly version: string },
    { method, headers }: Pick<IncomingMessage, 'method' | 'headers'>,
    pathAndQuery: string,
  ) {
    // Those that reach the model server: one that is sent and not forwarded must not stand for one that is.
    const seen = forwardedHeaders(headers)
      .filter(([name]) => changesAnswer(name))
      .sort(([one], [other]) => (one < other ? -1 : 1));
    this.#hash.update(JSON.stringify([endpoint.id, endpoint.version, method, pathAndQuery, seen]));
  }

  /** Adds a piece of the body. */
  addBody(chunk: Buffer): void {
    this.#hash.update(chunk);
  }

  /** Ends the key: nothing can be added to it. */
  end(): string {
    return this.#hash.digest('base64');
  }
}
