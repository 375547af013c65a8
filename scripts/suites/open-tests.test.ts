import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openTestsOrWhyNot } from './open-tests.ts';

test('a folder that Git cannot list has one sentence in place of its open tests', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'no-repository-'));
  expect(openTestsOrWhyNot(folder.path)).toEqual([
    expect.stringMatching(/^The areas that have changed are unknown: .+$/),
  ]);
});
