import { expect, test } from 'vitest';
import { refusalText } from './refusal-text.ts';

test.each([
  ['There is no endpoint "lab/x".', 'There is no endpoint "lab/x".'],
  [{ message: 'The context is full.' }, 'The context is full.'],
  [
    { message: 'request (1532 tokens) exceeds …, try increasing it', n_prompt_tokens: 1532, n_ctx: 512 },
    'The request has 1532 tokens, and the context has room for 512 tokens. Shorten it, or give the endpoint a larger context.',
  ],
  // llama-server, and the one before it.
  [
    {
      code: 500,
      message:
        'input (1200 tokens) is too large to process. increase the physical batch size (current batch size: 512)',
    },
    'The text has 1200 tokens, and the endpoint takes at most 512 tokens at once. Shorten it, or send it in parts.',
  ],
  [
    { message: 'input is too large to process. increase the physical batch size' },
    'The text is too long. Shorten it, or send it in parts.',
  ],
  [
    { code: 501, message: 'This server does not support embeddings. Start it with `--embeddings`' },
    'This endpoint does not serve embeddings. Use an endpoint whose task it is.',
  ],
  [
    { message: 'This server does not support reranking. Start it with `--reranking`' },
    'This endpoint does not serve reranking. Use an endpoint whose task it is.',
  ],
  [{ message: { text: 'deep' } }, null],
  ['', null],
  [undefined, null],
])('of %j the user reads %j', (error, text) => {
  expect(refusalText(error)).toBe(text);
});
