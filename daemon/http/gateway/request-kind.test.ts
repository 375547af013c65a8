import { expect, test } from 'vitest';
import { isChatRequest, isGeneration } from './request-kind.ts';

test.each([
  '/v1/chat/completions',
  '/chat/completions',
  '/v1/chat/completions?a=/b',
  '/v1/chat/completion%73',
  '/v1/chat/completions/input_tokens',
  '/v1/responses',
  '/responses',
  '/v1/messages',
  '/v1/messages/count_tokens',
  '/api/chat',
  '/apply-template',
])('%s is a chat', (path) => {
  expect(isChatRequest('POST', path)).toBe(true);
});

test.each([
  ['POST', '/v1/completions'],
  ['POST', '/completion'],
  ['POST', '/v1/embeddings'],
  ['POST', '/v1/chat/completions/x'],
  ['POST', '/x/v1/chat/completions'],
  ['POST', '/%E0%A4%A'],
  ['GET', '/v1/chat/completions'],
  ['HEAD', '/v1/responses'],
])('%s %s is none', (method, path) => {
  expect(isChatRequest(method, path)).toBe(false);
});

test.each([
  ['POST', '/v1/chat/completions', true],
  ['POST', '/chat/completions', true],
  ['POST', '/completion', true],
  ['POST', '/v1/embeddings', true],
  ['POST', '/v1/rerank', true],
  ['POST', '/v1/messages', true],
  ['POST', '/generate_stream', true],
  ['POST', '/embed', true],
  ['POST', '/predict', true],
  ['POST', '/', true],
  ['POST', '/v1%2Fcompletions?a=b', true],
  ['GET', '/v1/chat/completions', false],
  ['POST', '/tokenize', false],
  ['POST', '/x', false],
  ['POST', '/v1/messages/count_tokens', false],
  ['GET', '/v1/models', false],
  ['POST', '/my/v1/chat/completions', false],
  [undefined, '/completion', false],
])('%s %s is computed by the model: %s', (method, path, expected) => expect(isGeneration(method, path)).toBe(expected));
