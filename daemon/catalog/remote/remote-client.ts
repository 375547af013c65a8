import {
  type ModelDeploy,
  type RecipeDeploy,
  RemoteDeployed,
  RemoteEndpoint,
} from '../../contract/endpoints/deploy.ts';
import { inOurWords } from '../../contract/endpoints/hub-dialect.ts';
import { deadline } from '../../shared/async/deadline.ts';
import { PassingFailure, withRetries } from '../../shared/async/retry.ts';
import { DomainError } from '../../shared/domain-error.ts';
import { outcomeUnknown, RemoteCatalogTrouble, type RemoteTroubleKind, serviceTooSlow } from './errors.ts';
import { refusal, smallJson } from './refusal.ts';
import type { Dialect } from './remote-choice.ts';
import type { RemotePatience } from './remote-deadlines.ts';
import { readList, type UsableList } from './remote-list.ts';
import { askRemote } from './remote-request.ts';

export interface RemoteClientDeps {
  /** Up to and with `/api/v1`. */
  readonly base: string;
  readonly dialect: Dialect;
  /** null: there is none. */
  readonly token: () => Promise<string | null>;
  readonly patience: RemotePatience;
  /** Ends everything. */
  readonly closing: AbortSignal;
}

export interface RemoteList extends UsableList {
  /** To be asked with next time; null: the service gives none. */
  readonly etag: string | null;
}

const MAX_LIST_BYTES = 64 * 1024 ** 2;
const MAX_REPLY_BYTES = 1024 ** 2;
const RETRIES = 2;
/** What may be otherwise the next time. */
const passing: ReadonlySet<RemoteTroubleKind> = new Set(['busy', 'out-of-order', 'unreachable', 'broken-off']);

/** What is asked of a catalog service. Every method throws RemoteCatalogTrouble, a list also ShuttingDown. */
export class RemoteClient {
  readonly #deps: RemoteClientDeps;

  constructor(deps: RemoteClientDeps) {
    this.#deps = deps;
  }

  /**
   * Everything that the service offers; asked up to three times.
   * @param etag what an earlier list came with
   * @returns null: nothing has changed since that one
   */
  list(etag: null, closing: AbortSignal): Promise<RemoteList>;
  list(etag: string | null, closing: AbortSignal): Promise<RemoteList | null>;
  async list(etag: string | null, closing: AbortSignal): Promise<RemoteList | null> {
    const { patience } = this.#deps;
    using limit = deadline(patience.listMs, serviceTooSlow, AbortSignal.any([closing, this.#deps.closing]));
    const attempt = () =>
      this.#listOnce(etag, limit.signal).catch((error: unknown) => {
        const isPassing = error instanceof RemoteCatalogTrouble && passing.has(error.kind);
        throw isPassing ? new PassingFailure(error, error.retryAfter) : error;
      });
    return await withRetries(attempt, { ...patience, retries: RETRIES, retriesMs: patience.listMs }, limit.signal);
  }

  /** Makes an endpoint of a model. Asked once, whatever happens. @param name for the endpoint, if the body names none */
  deployModel(author: string, model: string, body: ModelDeploy, name: string): Promise<RemoteDeployed> {
    return this.#deploy(['model', author, model], body, name);
  }

  /** Makes an endpoint of one recipe. Asked once, whatever happens. @param name for the endpoint, if the body names none */
  deployRecipe(publicId: string, body: RecipeDeploy, name: string): Promise<RemoteDeployed> {
    return this.#deploy(['recipe', publicId], body, name);
  }

  async #token(): Promise<string | null> {
    try {
      return await this.#deps.token();
    } catch (error) {
      // Kept by another system's keychain, say: to be entered again.
      throw error instanceof DomainError ? new RemoteCatalogTrouble('auth', error.message, { cause: error }) : error;
    }
  }

  async #listOnce(etag: string | null, signal: AbortSignal): Promise<RemoteList | null> {
    const token = await this.#token();
    using answer = await askRemote(`${this.#deps.base}/catalog/list`, {
      method: 'GET',
      // Else `fetch` says `no-cache` for us, and services take that for a wish to have it all again.
      headers: { ...headersWith(token), ...(etag !== null && { 'if-none-match': etag, 'cache-control': 'max-age=0' }) },
      signal,
      silenceMs: this.#deps.patience.silenceMs,
      maxBytes: MAX_LIST_BYTES,
    });
    const { status, headers } = answer.response;
    if (etag !== null && status === 304) return null;
    if (status !== 200) throw aboutTheService(await refusal(answer, token), status);
    return { etag: headers.get('etag'), ...(await readList(answer.body)) };
  }

  async #deploy(path: readonly string[], body: ModelDeploy | RecipeDeploy, given: string): Promise<RemoteDeployed> {
    const { base, dialect, closing, patience } = this.#deps;
    const name = body.config?.name ?? given;
    const token = await this.#token();
    if (token === null) {
      throw new RemoteCatalogTrouble('auth', 'The catalog service wants a token to deploy, and none is kept for it.');
    }
    using limit = deadline(patience.deployMs, serviceTooSlow, closing);
    const lost = (error: unknown): never => {
      if (error instanceof RemoteCatalogTrouble && error.kind === 'unreachable') throw error;
      throw outcomeUnknown((error as Error).message, name, error);
    };
    using answer = await askRemote(`${base}/catalog/${path.map(pathPart).join('/')}/deploy`, {
      method: 'POST',
      headers: { ...headersWith(token), 'content-type': 'application/json' },
      // Named before it is made, so that it can be looked for if the answer is lost.
      body: JSON.stringify({ ...body, config: { ...body.config, name } }),
      signal: limit.signal,
      silenceMs: patience.deployMs,
      maxBytes: MAX_REPLY_BYTES,
    }).catch(lost);
    if (!answer.response.ok) {
      const trouble = await refusal(answer, token);
      throw trouble.kind === 'out-of-order' ? outcomeUnknown(trouble.message, name, trouble) : trouble;
    }
    const deployed = RemoteDeployed.safeParse(await smallJson(answer.body).catch(lost)).data;
    if (!deployed) throw outcomeUnknown('The catalog service answers with what is no endpoint.', name);
    if (dialect === 'specification') return deployed;
    return { ...deployed, endpoint: RemoteEndpoint.parse(inOurWords(deployed.endpoint)) };
  }
}

/** Whoever lists asks for nothing that could be wrong: the address is. */
function aboutTheService(trouble: RemoteCatalogTrouble, status: number): RemoteCatalogTrouble {
  if (trouble.kind !== 'rejected' && trouble.kind !== 'not-found' && trouble.kind !== 'conflict') return trouble;
  const message = `There is no catalog at this address (status ${status}).`;
  return new RemoteCatalogTrouble('not-understood', message, { cause: trouble });
}

function headersWith(token: string | null): Record<string, string> {
  return { accept: 'application/json', ...(token !== null && { authorization: `Bearer ${token}` }) };
}

/** A dot or two would be taken as a step within the path, however they are written. */
function pathPart(name: string): string {
  if (/^\.\.?$/.test(name)) throw new RemoteCatalogTrouble('not-found', `Nothing in a catalog is called "${name}".`);
  return encodeURIComponent(name.toWellFormed());
}
