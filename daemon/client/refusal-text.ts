/**
 * The sentence in the `error` of a model server's reply: a text, or an object with one; null: there is none.
 * llama-server's advice is for those who start it ("increase the physical batch size", "Start it with `--embeddings`");
 * these sentences are for users of an endpoint.
 */
export function refusalText(error: unknown): string | null {
  const parts = typeof error === 'object' && error !== null ? (error as Readonly<Record<string, unknown>>) : null;
  const { n_prompt_tokens: asked, n_ctx: room } = parts ?? {};
  if (typeof asked === 'number' && typeof room === 'number')
    return `The request has ${asked} tokens, and the context has room for ${room} tokens. Shorten it, or give the endpoint a larger context.`;
  const text = parts === null ? error : parts['message'];
  if (typeof text !== 'string' || text === '') return null;
  const tooLarge = /^input (?:\((\d+) tokens\) )?is too large to process\..*?(?:batch size: (\d+)\))?$/i.exec(text);
  if (tooLarge) return tooLargeText(tooLarge[1], tooLarge[2]);
  const unserved = /^This server does not support ([\w ]+)\. Start it with/.exec(text)?.[1];
  return unserved === undefined ? text : `This endpoint does not serve ${unserved}. Use an endpoint whose task it is.`;
}

function tooLargeText(tokens: string | undefined, most: string | undefined): string {
  const has = tokens === undefined ? 'The text is too long' : `The text has ${tokens} tokens`;
  const room = most === undefined ? '' : `, and the endpoint takes at most ${most} tokens at once`;
  return `${has}${room}. Shorten it, or send it in parts.`;
}
