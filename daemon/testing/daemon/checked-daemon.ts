import { once } from 'node:events';
import { request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect } from 'vitest';
import { AccessTokens, type TokenRequest } from '../../access/access-tokens.ts';
import { openApiDocument } from '../../http/openapi.ts';
import { operationAt } from '../../http/requests/operation-paths.ts';
import { systemNow } from '../../shared/clock.ts';
import { createLogger } from '../../shared/logger.ts';
import { ContractChecker } from './contract-checker.ts';
import { ownConnection } from './raw-requests.ts';
import { startTestDaemon, type TestDaemon } from './test-daemon.ts';

export interface RequestOptions {
  readonly headers?: Record<string, string>;
  /** The bearer token; null: none. Default: one that may deploy everywhere. */
  readonly token?: string | null;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent unchanged, instead of `body`. */
  readonly raw?: string | Buffer;
  /** Sends no content-length. */
  readonly isChunked?: boolean;
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: whatever the daemon answered; tests compare it with what they expect
  readonly body: any;
}

/** A daemon whose replies are checked against the contract and against the OpenAPI document that it serves. */
export interface CheckedDaemon extends AsyncDisposable {
  readonly daemon: TestDaemon;
  /** Sends a request unchanged: `fetch` would normalize its path and add headers. */
  ask(method: string, path: string, options?: RequestOptions): Promise<Answer>;
  /** Creates a token. @returns its text */
  newToken(more?: Partial<TokenRequest>): Promise<string>;
}

export async function startCheckedDaemon(options: Parameters<typeof startTestDaemon>[0] = {}): Promise<CheckedDaemon> {
  const daemon = await startTestDaemon(options);
  // The same file as the daemon's, opened like another process of the user would.
  const tokens = new AccessTokens(join(daemon.dataDir, 'tokens.json'), { log: createLogger('error'), now: systemNow });
  const newToken = async (more: Partial<TokenRequest> = {}) => {
    const { text } = await tokens.create({ name: null, scopes: ['deploy'], namespaces: null, ...more });
    return text;
  };
  const defaultToken = await newToken();
  const served = await fetch(`${daemon.url}/api/v1/openapi.json`, { headers: ownConnection });
  const checker = new ContractChecker([(await served.json()) as object, openApiDocument('0.0.0-test')]);

  const ask = async (method: string, path: string, options: RequestOptions = {}): Promise<Answer> => {
    const answer = await send(daemon.url, method, path, { token: defaultToken, ...options });
    const name = operationAt(method, path.split('?')[0] ?? '');
    if (name && method !== 'HEAD') {
      const reply = { ...answer, contentType: answer.headers['content-type'] ?? null };
      expect(checker.problems(name, reply), `${method} ${path}: ${answer.text.slice(0, 2_000)}`).toEqual([]);
    }
    return answer;
  };
  return { daemon, ask, newToken, [Symbol.asyncDispose]: () => daemon[Symbol.asyncDispose]() };
}

async function send(url: string, method: string, path: string, options: RequestOptions): Promise<Answer> {
  const { token = null, body, raw = body === undefined ? undefined : JSON.stringify(body), isChunked } = options;
  const { hostname, port } = new URL(url);
  const headers = {
    ...(token === null ? {} : { authorization: `Bearer ${token}` }),
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    ...(raw === undefined || isChunked ? {} : { 'content-length': Buffer.byteLength(raw) }),
    ...options.headers,
  };
  const request = httpRequest({ host: hostname, port, method, path, headers });
  request.end(raw);
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  const replyText = await text(response);
  const isJson = response.headers['content-type']?.includes('json') && replyText !== '';
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    text: replyText,
    body: isJson ? JSON.parse(replyText) : null,
  };
}
