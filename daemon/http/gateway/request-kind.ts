/**
 * The addresses at which model servers make a prompt of a chat, or count one: the interfaces of OpenAI (chat completions
 * and responses) and of Anthropic (messages), and llama.cpp's own.
 */
const CHATS =
  /^(?:(?:\/v1)?\/(?:chat\/completions|responses)(?:\/input_tokens)?|\/v1\/messages(?:\/count_tokens)?|\/api\/chat|\/apply-template)$/;

/** Whether a request is a chat. @param pathAndQuery as sent, not decoded; model servers decode it */
export function isChatRequest(method: string | undefined, pathAndQuery: string): boolean {
  return method === 'POST' && CHATS.test(decodedPath(pathAndQuery));
}

/**
 * The addresses at which a model computes an answer, of which a replica of llama.cpp does only so many at the same time: the
 * interfaces of OpenAI and Anthropic, and those of llama.cpp, vLLM, SGLang, TGI, TEI and the hub's own containers.
 */
const GENERATIONS =
  /^(?:\/v1)?\/(?:chat\/completions|completions?|infill|responses|messages|embeddings?|rerank(?:ing)?|score|classify|pooling)$|^\/(?:api\/chat|generate|generate_stream|encode|embed|embed_all|embed_sparse|similarity|predict|invocations)?$/;

/** Whether a model computes the answer to a request. @param pathAndQuery as for `isChatRequest` */
export function isGeneration(method: string | undefined, pathAndQuery: string): boolean {
  return method === 'POST' && GENERATIONS.test(decodedPath(pathAndQuery));
}

function decodedPath(pathAndQuery: string): string {
  const [path = ''] = pathAndQuery.split('?', 1);
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
