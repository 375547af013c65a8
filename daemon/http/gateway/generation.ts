/** The routes of llama.cpp's server, and of OpenAI's and Anthropic's interfaces, that a model computes for. */
const ROUTES = /^(?:\/v1)?\/(?:chat\/completions|completions?|infill|responses|messages|embeddings?|rerank(?:ing)?)$/;

/** Whether a model computes an answer to a request, of which a replica may do only so many at the same time. */
export function isGeneration(method: string | undefined, path: string): boolean {
  return method === 'POST' && ROUTES.test(path);
}
