import { globSync } from 'node:fs';
import { execaSync } from 'execa';
import { expect, test } from 'vitest';
import { projectDir } from '../environment/project.ts';

const patches = globSync('scripts/faults/by-hand/*.patch', { cwd: projectDir });

test('each fault by hand can be planted in the code as it is', () => {
  expect(patches.length).toBeGreaterThan(0);
  const isStale = (patch: string) =>
    execaSync('git', ['apply', '--check', patch], { cwd: projectDir, reject: false, timeout: 60_000 }).failed;
  expect(patches.filter(isStale)).toEqual([]);
});
