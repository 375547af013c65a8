import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type CheckDeps, createCheckDeps } from '../../assistant/check/check-deps.ts';
import { systemClock } from '../../shared/clock.ts';
import { projectDir } from '../daemon/test-daemon.ts';
import type { AppFiles } from './good-apps.ts';

/** The collaborators of a check without a daemon. @param cacheDir of the downloads and tools; default: nothing is built */
export function checkDepsForTests(cacheDir = join(tmpdir(), 'nothing-is-built-here')): Promise<CheckDeps> {
  const assetsDir = join(projectDir, 'assets');
  return createCheckDeps({ assetsDir, cacheDir, environment: process.env, python: null, clock: systemClock });
}

/** A folder with these files, whose path has spaces and umlauts; removed after the test. */
export async function folderWith(files: AppFiles): Promise<string> {
  const folder = join(await mkdtemp(join(tmpdir(), 'own app ü ')), 'my app');
  onTestFinished(() => rm(dirname(folder), { recursive: true, force: true }));
  await mkdir(folder);
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  return folder;
}
