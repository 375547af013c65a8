import {
  type ModelDeploy,
  type RecipeDeploy,
  RemoteDeployed,
  RemoteEndpoint,
} from '../../contract/endpoints/deploy.ts';
import { toSpecificationNames } from '../../contract/endpoints/hub-dialect.ts';
import { deadline } from '../../shared/async/deadline.ts';
import { TransientFailure, withRetries } from '../../shared/async/retry.ts';
import type { Clock } from '../../shared/clock.ts';
import { SecretUnreadable } from '../../shared/files/key-file-secret-store.ts';
import { outcomeUnknown, RemoteCatalogFailed, type RemoteFailureKind, serviceTooSlow } from './errors.ts';
import type { Dialect } from './remote-choice.ts';
import { readList, type UsableList } from './remote-list.ts';
import { askRemote, refusal, smallJson } from './remote-request.ts';

interface RemoteClientDeps {
  /** Ends in `/api/v1`. */
  readonly base: string;
  readonly dialect: Dialect;
  /** Resolves to null without a token. */
  readonly token: () => Promise<string | null>;
  readonly deadlines: RemoteDeadlines;
  /** Aborts every request. */
  readonly closing: AbortSignal;
  readonly clock: Clock;
}

export interface RemoteList extends UsableList {
  /** For the next request; null: the service sends none. */
  readonly etag: string | null;
}

const MAX_LIST_BYTES = 64 * 1024 ** 2;
const MAX_REPLY_BYTES = 1024 ** 2;
const RETRIES = 2;
/** Failures that a retry may avoid. */
const transient: ReadonlySet<RemoteFailureKind> = new Set(['busy', 'server-error', 'unreachable', 'interrupted']);

/** The requests to a catalog service. Every method throws RemoteCatalogFailed; `list` also throws ShuttingDown. */
export class RemoteClient {
  readonly #deps: RemoteClientDeps;

  constructor(deps: RemoteClientDeps) {
    this.#deps = deps;
  }

  /**
   * Lists the service's models, with up to two retries.
   * @param etag the etag of an earlier list
   * @returns null when nothing has changed since that list
   */
  list(etag: null, closing: AbortSignal): Promise<RemoteList>;
  list(etag: string | null, closing: AbortSignal): Promise<RemoteList | null>;
  async list(etag: string | null, closing: AbortSignal): Promise<RemoteList | null> {
    const { deadlines, clock } = this.#deps;
    const either = AbortSignal.any([closing, this.#deps.closing]);
    using limit = deadline(clock, deadlines.listMs, serviceTooSlow, either);
    const attempt = () =>
      this.#listOnce(etag, limit.signal).catch((error: unknown) => {
        const isTransient = error instanceof RemoteCatalogFailed && transient.has(error.kind);
        throw isTransient ? new TransientFailure(error, error.retryAfter) : error;
      });
    const policy = { ...deadlines, retries: RETRIES, retriesMs: deadlines.listMs };
    return await withRetries(clock, attempt, policy, limit.signal);
  }

  async #token(): Promise<string | null> {
    try {
      return await this.#deps.token();
    } catch (error) {
      if (!(error instanceof SecretUnreadable)) throw error;
      // For example sealed by another machine's keychain.
      const message = 'The saved token of the catalog service can no longer be read. Enter it again.';
      throw new RemoteCatalogFailed('auth', message, { cause: error });
    }
  }

  async #listOnce(etag: string | null, signal: AbortSignal): Promise<RemoteList | null> {
    const { base, deadlines, clock } = this.#deps;
    const token = await this.#token();
    using answer = await askRemote(clock, `${base}/catalog/list`, {
      method: 'GET',
      // By default `fetch` sends `no-cache` with an etag, and services then send the complete list.
      headers: { ...headersWith(token), ...(etag !== null && { 'if-none-match': etag, 'cache-control': 'max-age=0' }) },
      signal,
      silenceMs: deadlines.silenceMs,
      maxBytes: MAX_LIST_BYTES,
    });
    const { status, headers } = answer.response;
    if (etag !== null && status === 304) return null;
    if (status !== 200) throw aboutTheService(await refusal(answer, token), status);
    return { etag: headers.get('etag'), ...(await readList(answer.body)) };
  }

  /**
   * Deploys a model or one recipe, without retries.
   * @param path `model`, its author and its name, or `recipe` and its publicId
   * @param given the endpoint's name, if the body has none
   */
  async deploy(path: readonly string[], body: ModelDeploy | RecipeDeploy, given: string): Promise<RemoteDeployed> {
    const { base, dialect, closing, deadlines, clock } = this.#deps;
    const name = body.config?.name ?? given;
    const token = await this.#token();
    if (token === null) {
      throw new RemoteCatalogFailed('auth', 'The catalog service requires a token to deploy, and none is saved.');
    }
    using limit = deadline(clock, deadlines.deployMs, serviceTooSlow, closing);
    const throwUnknown = (error: unknown): never => {
      if (error instanceof RemoteCatalogFailed && error.kind === 'unreachable') throw error;
      throw outcomeUnknown((error as Error).message, name, error);
    };
    using answer = await askRemote(clock, `${base}/catalog/${path.map(pathPart).join('/')}/deploy`, {
      method: 'POST',
      headers: { ...headersWith(token), 'content-type': 'application/json' },
      // Named in advance, so that a person can look for it if the answer is lost.
      body: JSON.stringify({ ...body, config: { ...body.config, name } }),
      signal: limit.signal,
      silenceMs: deadlines.deployMs,
      maxBytes: MAX_REPLY_BYTES,
    }).catch(throwUnknown);
    if (!answer.response.ok) {
      const failure = await refusal(answer, token);
      throw failure.kind === 'server-error' ? outcomeUnknown(failure.message, name, failure) : failure;
    }
    const deployed = RemoteDeployed.safeParse(await smallJson(answer.body).catch(throwUnknown)).data;
    if (!deployed) throw outcomeUnknown('The answer of the catalog service is not an endpoint.', name);
    if (dialect === 'specification') return deployed;
    return { ...deployed, endpoint: RemoteEndpoint.parse(toSpecificationNames(deployed.endpoint)) };
  }
}

/** A list request has no parameters, so an error about the request means a wrong address. */
function aboutTheService(failure: RemoteCatalogFailed, status: number): RemoteCatalogFailed {
  if (failure.kind !== 'rejected' && failure.kind !== 'not-found' && failure.kind !== 'conflict') return failure;
  const message = `There is no catalog at this address (status ${status}).`;
  return new RemoteCatalogFailed('invalid-answer', message, { cause: failure });
}

function headersWith(token: string | null): Record<string, string> {
  return { accept: 'application/json', ...(token !== null && { authorization: `Bearer ${token}` }) };
}

/** `.` and `..` would change the path, even encoded. */
function pathPart(name: string): string {
  if (/^\.\.?$/.test(name)) throw new RemoteCatalogFailed('not-found', `"${name}" cannot be a name in a catalog.`);
  return encodeURIComponent(name.toWellFormed());
}

/** The deadlines of requests to a catalog service. */
export interface RemoteDeadlines {
  /** For the start of an answer, and for each further piece. */
  readonly silenceMs: number;
  /** For a complete list, with retries. */
  readonly listMs: number;
  /** For the answer to a deploy. */
  readonly deployMs: number;
  /** The pause before the first retry of a list unless the service names one; doubled before the second. */
  readonly retryMs: number;
  /** The longest pause that a service may ask for. */
  readonly longestRetryMs: number;
}

export const defaultDeadlines: RemoteDeadlines = {
  silenceMs: 30_000,
  listMs: 120_000,
  deployMs: 60_000,
  retryMs: 1_000,
  longestRetryMs: 20_000,
};
