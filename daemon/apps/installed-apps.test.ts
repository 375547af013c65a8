import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { InstalledApp } from '../contract/apps.ts';
import { createLogger } from '../shared/logger.ts';
import { InstalledApps } from './installed-apps.ts';

const dance: InstalledApp = {
  name: 'dance',
  distribution: 'dance',
  version: '1',
  module: 'dance.main',
  className: 'Dance',
  title: 'Dance',
  description: '',
  emoji: '',
  requiresPython: null,
  dependencies: [],
  baseline: false,
  settingsPage: null,
  source: { kind: 'folder', path: '/dance' },
  installedAt: '2026-01-01T00:00:00Z',
  pythonVersion: '3.11.7',
};

async function appsIn(appsDir: string): Promise<InstalledApps> {
  const apps = new InstalledApps({ appsDir, publish: () => {}, log: createLogger('error', () => {}) });
  await apps.load();
  return apps;
}
async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'apps-'));
  onTestFinished(() => rm(path, { recursive: true }));
  return path;
}

test('an environment that became the live one is not discarded any more', async () => {
  const apps = await appsIn(await folder());
  const environment = await apps.newEnvironment('dance');
  await mkdir(environment.dir);
  await environment.switchTo(dance);
  await environment.discard();
  expect(await readdir(join(environment.dir, '..'))).toHaveLength(1);
});

test('a first install that fails leaves no trace', async () => {
  const path = await folder();
  const environment = await (await appsIn(path)).newEnvironment('dance');
  await mkdir(environment.dir);
  await environment.discard();
  expect(await readdir(path)).toEqual([]);
});

test('an app whose record is damaged keeps its files, even when installing it again fails', async () => {
  const path = await folder();
  await mkdir(join(path, 'dance', 'envs', 'old'), { recursive: true });
  await mkdir(join(path, 'dance', 'files'));
  await writeFile(join(path, 'dance', 'files', 'notes.txt'), 'mine');
  await writeFile(join(path, 'dance', 'current.json'), '{"app":');
  const apps = await appsIn(path);
  const environment = await apps.newEnvironment('dance');
  await mkdir(environment.dir);
  await environment.discard();
  expect(apps.list()).toEqual([]);
  expect(await readFile(join(path, 'dance', 'files', 'notes.txt'), 'utf8')).toBe('mine');
});
