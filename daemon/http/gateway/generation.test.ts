import { expect, test } from 'vitest';
import { isGeneration } from './generation.ts';

test.each([
  ['POST', '/v1/chat/completions', true],
  ['POST', '/chat/completions', true],
  ['POST', '/completion', true],
  ['POST', '/v1/embeddings', true],
  ['POST', '/v1/rerank', true],
  ['POST', '/v1/messages', true],
  ['GET', '/v1/chat/completions', false],
  ['POST', '/tokenize', false],
  ['POST', '/v1/messages/count_tokens', false],
  ['GET', '/v1/models', false],
  ['POST', '/my/v1/chat/completions', false],
  [undefined, '/completion', false],
])('%s %s: %s', (method, path, expected) => expect(isGeneration(method, path)).toBe(expected));
