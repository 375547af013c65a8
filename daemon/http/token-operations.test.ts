import { expect, test } from 'vitest';
import type { Operation } from '../contract/operation.ts';
import { operations } from '../contract/operations.ts';
import { isTokenOperation } from './token-operations.ts';

test('the contract says which operations need a known caller, whatever is in their paths', () => {
  for (const { method, path, token = false } of Object.values<Operation>(operations)) {
    for (const value of ['x', 'a.b-c', '%2F', '%E0%A4%A', '..', '{name}']) {
      const asked = path.replace(/\{\w+\}/g, value);
      expect(isTokenOperation(method, asked), `${method} ${asked}`).toBe(token);
      expect(isTokenOperation(method, `${asked}/`), `${method} ${asked}/`).toBe(token);
    }
  }
});

test('deploying and all that is done with endpoints are among them', () => {
  expect(isTokenOperation('POST', '/api/v1/catalog/model/ann/tiny/deploy')).toBe(true);
  expect(isTokenOperation('POST', '/api/v1/catalog/recipe/ann--tiny/deploy')).toBe(true);
  expect(isTokenOperation('DELETE', '/v2/endpoint/local/chat')).toBe(true);
  expect(isTokenOperation('GET', '/api/v1/catalog/list')).toBe(false);
});

test('what is served to HEAD as to GET needs the same', () => {
  expect(isTokenOperation('HEAD', '/v2/endpoint/local')).toBe(true);
  expect(isTokenOperation('HEAD', '/api/v1/catalog/list')).toBe(false);
});
