import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { ApiError, wrongMode } from './api-error.ts';
import { ChatRequest, chat } from './chat.ts';
import { CompletionRequest, complete } from './completion.ts';
import { EmbeddingsRequest, embed } from './embeddings.ts';
import type { ReplyTo } from './generation-reply.ts';
import { readBody, sendJson } from './http-messages.ts';
import type { LoadedModel } from './load-model.ts';
import { RerankRequest, rerank } from './rerank.ts';

const MAX_CONNECTIONS = 1_024;

/** The runner's HTTP server, OpenAI-compatible. */
export class RunnerServer {
  readonly #alias: string;
  readonly #onCardLost: () => void;
  readonly #created = Math.floor(Date.now() / 1_000);
  readonly #server: Server;
  #model: LoadedModel | null = null;

  /** @param onCardLost called when the driver has lost its card: no later request would be answered */
  constructor(alias: string, onCardLost: () => void) {
    this.#alias = alias;
    this.#onCardLost = onCardLost;
    this.#server = createServer(
      { keepAliveTimeout: 60_000 },
      (request, response) => void this.#serve(request, response),
    );
    this.#server.maxConnections = MAX_CONNECTIONS;
  }

  /** Listens on a socket, and answers that the model is loading. @throws the system's error */
  async listen(socketPath: string): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject).listen(socketPath, resolve);
    });
  }

  /** From now on requests are answered. */
  ready(model: LoadedModel): void {
    this.#model = model;
  }

  /** Ends all connections, and removes the socket. */
  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const client = new AbortController();
    response.on('close', () => client.abort());
    response.on('error', () => {}); // the client is gone, which `close` says too
    try {
      await this.#route(request, response, client.signal);
    } catch (error) {
      const isGone = client.signal.aborted || (error as NodeJS.ErrnoException).code === 'ECONNRESET';
      if (!isGone) fail(response, error);
      if (!(error instanceof ApiError) && CARD_LOST.test((error as Error).message)) this.#onCardLost();
    }
  }

  async #route(request: IncomingMessage, response: ServerResponse, signal: AbortSignal): Promise<void> {
    const [path = ''] = (request.url ?? '').split('?');
    const model = this.#model;
    if (path === '/health') {
      if (model === null) sendJson(response, 503, { status: 'loading model' });
      else sendJson(response, 200, { status: 'ok' });
      return;
    }
    if (model === null) {
      throw new ApiError(503, 'The model is loading.', { code: 'model_loading', retryAfterSeconds: 1 });
    }
    if (path === '/v1/models' || path.startsWith('/v1/models/')) {
      if (request.method !== 'GET') throw new ApiError(405, `${path} takes GET only.`);
      sendJson(response, 200, this.#models(path, model));
      return;
    }
    const route = routes[path];
    if (route === undefined) throw new ApiError(404, `There is no ${path}.`, { code: 'unknown_url' });
    if (request.method !== 'POST') throw new ApiError(405, `${path} takes POST only.`);
    await route(model, request, { response, signal, model: this.#alias });
  }

  #models(path: string, { contextLength }: LoadedModel): object {
    const own = {
      id: this.#alias,
      object: 'model',
      created: this.#created,
      owned_by: 'robot-desktop',
      meta: { n_ctx: contextLength },
    };
    if (path === '/v1/models') return { object: 'list', data: [own] };
    if (decode(path.slice('/v1/models/'.length)) === this.#alias) return own;
    throw new ApiError(404, `The only model here is ${this.#alias}.`, { code: 'model_not_found', param: 'model' });
  }
}

type Route = (loaded: LoadedModel, request: IncomingMessage, to: ReplyTo) => Promise<void>;

const routes: Readonly<Record<string, Route>> = {
  '/v1/chat/completions': async (loaded, request, to) => {
    if (loaded.mode !== 'generation') throw wrongMode('chats', loaded.mode);
    await chat(loaded.generator, await readBody(request, ChatRequest), to);
  },
  '/v1/completions': async (loaded, request, to) => {
    if (loaded.mode !== 'generation') throw wrongMode('completions', loaded.mode);
    await complete(loaded.generator, await readBody(request, CompletionRequest), to);
  },
  '/v1/embeddings': async (loaded, request, to) => {
    if (loaded.mode !== 'embeddings') throw wrongMode('embeddings', loaded.mode);
    await embed(loaded.embedder, await readBody(request, EmbeddingsRequest), to);
  },
  '/v1/rerank': async (loaded, request, to) => {
    if (loaded.mode !== 'reranking') throw wrongMode('reranking', loaded.mode);
    await rerank(loaded.reranker, await readBody(request, RerankRequest), to);
  },
};

/** An error of the Vulkan interface that llama.cpp passes on, instead of ending the program. The daemon knows it in the log. */
const CARD_LOST = /ErrorDeviceLost/;

/** Answers with the error, or ends a stream with it. */
function fail(response: ServerResponse, error: unknown): void {
  const known = error instanceof ApiError ? error : new ApiError(500, 'The model failed. Its log says why.');
  if (known !== error) process.stderr.write(`A request failed: ${(error as Error).stack ?? String(error)}\n`);
  if (response.headersSent) {
    response.end(`data: ${JSON.stringify(known.body)}\n\n`);
    return;
  }
  const { retryAfterSeconds } = known.details;
  if (retryAfterSeconds !== undefined) response.setHeader('retry-after', retryAfterSeconds);
  // An unread body would be taken for the next request.
  response.setHeader('connection', 'close');
  sendJson(response, known.status, known.body);
}

function decode(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
