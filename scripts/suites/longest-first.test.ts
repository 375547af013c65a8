import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { projectDir } from '../environment/project.ts';
import { longFiles } from './longest-first.ts';

test('each file that starts early exists, once', () => {
  expect(longFiles.filter((file) => !existsSync(join(projectDir, file)))).toEqual([]);
  expect(new Set(longFiles).size).toBe(longFiles.length);
});
