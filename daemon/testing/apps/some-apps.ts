import { mkdir } from 'node:fs/promises';
import type { StoredVersion } from '../../apps/installed/app-pointer.ts';
import { InstalledApps } from '../../apps/installed/installed-apps.ts';
import { createLogger } from '../../shared/logger.ts';

/** An installed app, for tests that need no working environment. */
export function appNamed(name: string, more: Partial<StoredVersion['app']> = {}): StoredVersion['app'] {
  return {
    name,
    distribution: name,
    version: '1.0',
    module: `${name}.main`,
    className: 'App',
    title: name,
    description: '',
    emoji: '',
    requiresPython: null,
    dependencies: [],
    baseline: false,
    needs: [],
    icon: null,
    settingsPage: null,
    source: { kind: 'folder', path: `/${name}` },
    installedAt: '2026-01-01T00:00:00Z',
    pythonVersion: '3.11.7',
    ...more,
  };
}

/** The installed apps under `<folder>/apps`, with `<folder>/work` for work in progress. */
export async function appsIn(folder: string): Promise<InstalledApps> {
  const apps = new InstalledApps({
    appsDir: `${folder}/apps`,
    workDir: `${folder}/work`,
    publish: () => {},
    log: createLogger('error', () => {}),
  });
  await apps.load();
  return apps;
}

/** Installs a version whose environment is an empty folder. */
export async function haveInstalled(apps: InstalledApps, app: StoredVersion['app']): Promise<void> {
  const environment = await apps.newEnvironment(app.name);
  await mkdir(environment.dir);
  await environment.switchTo(app);
}
