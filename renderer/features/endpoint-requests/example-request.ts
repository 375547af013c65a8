import type { OwnEndpoint } from '../../../daemon/contract/endpoints/endpoint.ts';
import type { EndpointRequestText } from './request-snippets.ts';

/** The uses of an endpoint that the dashboard knows; `raw`: any request. */
export type EndpointUse = 'chat' | 'completion' | 'embeddings' | 'rerank' | 'raw';

const uses: ReadonlyMap<string, EndpointUse> = new Map([
  ['text-generation', 'chat'],
  ['image-text-to-text', 'chat'],
  ['any-to-any', 'chat'],
  ['feature-extraction', 'embeddings'],
  ['sentence-similarity', 'embeddings'],
  ['sentence-embeddings', 'embeddings'],
  ['text-ranking', 'rerank'],
  ['sentence-ranking', 'rerank'],
]);

/** The use that fits an endpoint: by the mode of its program, else by its task. A model without a chat template has no chats. */
export function usageOf({ endpoint, report }: Pick<OwnEndpoint, 'endpoint' | 'report'>): EndpointUse {
  if (report.lacksChatTemplate) return 'completion';
  const { task, image } = endpoint.model;
  const mode = image.llamacpp?.mode;
  if (mode === 'embeddings') return 'embeddings';
  return mode === 'reranking' ? 'rerank' : (uses.get(task) ?? 'raw');
}

const paths = {
  chat: '/v1/chat/completions',
  completion: '/v1/completions',
  embeddings: '/v1/embeddings',
  rerank: '/v1/rerank',
} as const;

/** The path of a use of an endpoint. */
export const pathOf = (use: keyof typeof paths): string => paths[use];

/** A request that shows how to use an endpoint. */
export function exampleRequest(of: Pick<OwnEndpoint, 'endpoint' | 'report'>): EndpointRequestText {
  const { status, type, model } = of.endpoint;
  const use = usageOf(of);
  const needsToken = type !== 'public';
  if (use === 'raw') return { method: 'GET', url: `${status.url}/v1/models`, body: null, needsToken };
  const members = {
    chat: { messages: [{ role: 'user', content: 'Hello!' }], stream: true },
    completion: { prompt: 'Once upon a time', max_tokens: 64, stream: true },
    embeddings: { input: ['A robot waves.', 'A machine says hello.'] },
    rerank: { query: 'Who waves?', documents: ['A robot waves.', 'It rains.'] },
  }[use];
  return {
    method: 'POST',
    url: status.url + paths[use],
    body: JSON.stringify({ model: model.repository, ...members }),
    needsToken,
  };
}

/** The address of an endpoint for a request of this page: at the page's own origin, with its session. */
export const addressInPage = (url: string): string => new URL(url, window.location.href).pathname;
