import { expect, test } from 'vitest';
import { EndpointName } from '../../../daemon/contract/endpoints/endpoint.ts';
import type { GgufFacts } from '../../../daemon/contract/model-files/model-files.ts';
import { ggufFacts } from '../../testing/model-fixtures.ts';
import { endpointNameFor, fileName, repositoryFor, suggestedUse } from './machine-text.ts';

test.each([
  ['/models/Tiny_Model-Q4.gguf', 'tiny-model-q4', 'own/Tiny_Model-Q4'],
  ['C:\\models\\Über model.GGUF', 'ber-model', 'own/-ber-model'],
  [`/m/${'a'.repeat(31)}.b.gguf`, 'a'.repeat(31), `own/${'a'.repeat(31)}.b`],
  ['/m/モデル.gguf', 'own-model', 'own/-'],
])('%s gets valid names', (path, name, repository) => {
  expect(endpointNameFor(path)).toBe(name);
  expect(EndpointName.safeParse(endpointNameFor(path)).success).toBe(true);
  expect(repositoryFor(path)).toBe(repository);
});

test('the name of a file is the last part of its path', () => {
  expect(fileName('/a/b.gguf')).toBe('b.gguf');
  expect(fileName('C:\\a\\b.gguf')).toBe('b.gguf');
});

test.each<[Partial<GgufFacts>, string]>([
  [{}, 'generation'],
  [{ pooling: 'mean', hasChatTemplate: false }, 'embeddings'],
  [{ pooling: 'none', hasChatTemplate: false }, 'generation'],
  [{ pooling: 'rank' }, 'reranking'],
  [{ isClassifier: true }, 'reranking'],
])('a file with %o is suggested for %s', (facts, use) => {
  expect(suggestedUse(ggufFacts(facts))).toBe(use);
});
