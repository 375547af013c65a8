import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { setAside } from './set-aside.ts';

test('files of one name that are set aside at the same time are all kept', async () => {
  const root = await mkdtemp(join(tmpdir(), 'set-aside-'));
  onTestFinished(() => rm(root, { recursive: true }));
  const at = new Date('2026-11-22T10:00:00.123Z');
  for (const app of ['dance', 'wave', 'sing']) {
    await mkdir(join(root, 'apps', app), { recursive: true });
    await writeFile(join(root, 'apps', app, 'variables.json'), app);
  }
  const kept = [];
  for (const app of ['dance', 'wave', 'sing']) {
    kept.push(await setAside(join(root, 'apps', app, 'variables.json'), root, at));
  }
  expect(await Promise.all(kept.map((path) => readFile(path, 'utf8')))).toEqual(['dance', 'wave', 'sing']);
  const name = 'variables.json.damaged-20261122T100000123';
  expect((await readdir(root)).sort()).toEqual(['apps', name, `${name}-2`, `${name}-3`]);
});
