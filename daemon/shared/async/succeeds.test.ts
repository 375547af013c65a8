import { join } from 'node:path';
import { expect, test } from 'vitest';
import { pathExists, succeeds } from './succeeds.ts';

test('reports success and failure', async () => {
  expect(await succeeds(Promise.resolve(false))).toBe(true);
  expect(await succeeds(Promise.reject(new Error('no')))).toBe(false);
});

test('reports whether a path exists', async () => {
  expect(await pathExists(import.meta.dirname)).toBe(true);
  expect(await pathExists(join(import.meta.dirname, 'nowhere'))).toBe(false);
});
