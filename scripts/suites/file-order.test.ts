import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { projectDir } from '../environment/project.ts';
import { longFiles, orderedBy } from './file-order.ts';

test('each file that starts early exists, once', () => {
  expect(longFiles.filter((file) => !existsSync(join(projectDir, file)))).toEqual([]);
  expect(new Set(longFiles).size).toBe(longFiles.length);
});

test('an order has all files, and is the same for the same text alone', () => {
  const files = Array.from({ length: 20 }, (_, index) => ({ moduleId: `/a/${index}.test.ts` }));
  const ordered = orderedBy('20261127-1', files);
  expect(new Set(ordered)).toEqual(new Set(files));
  expect(orderedBy('20261127-1', files.toReversed())).toEqual(ordered);
  expect(orderedBy('20261127-2', files)).not.toEqual(ordered);
});
