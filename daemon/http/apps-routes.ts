import type { Router } from 'express';
import type { AppVersions } from '../apps/app-versions.ts';
import type { AppInstaller } from '../apps/install/app-installer.ts';
import type { UpdateCheck } from '../apps/install/update-check.ts';
import type { InstalledApps } from '../apps/installed-apps.ts';
import type { StartupApp } from '../apps/startup-app.ts';
import type { SampleApp } from '../contract/apps.ts';
import { serve } from './serve.ts';

export interface AppsServices {
  readonly installed: InstalledApps;
  readonly samples: () => SampleApp[];
  readonly installer: AppInstaller;
  readonly versions: AppVersions;
  readonly updates: UpdateCheck;
  readonly startupApp: StartupApp;
}

/** What is installed, and how that changes. */
export function appsRoutes(router: Router, services: AppsServices): void {
  const { installed, samples, installer, versions, updates, startupApp } = services;
  serve(router, 'listApps', () => installed.list());
  serve(router, 'listSampleApps', samples);
  serve(router, 'installApp', ({ body }) => installer.install(body.url, body.revision));
  serve(router, 'checkForUpdates', () => updates.check());
  serve(router, 'getApp', ({ params }) => installed.get(params.appName));
  serve(router, 'getAppDisk', ({ params }) => installed.disk(params.appName));
  serve(router, 'updateApp', ({ params }) => installer.update(params.appName));
  serve(router, 'rollBackApp', ({ params }) => versions.rollBack(params.appName));
  serve(router, 'pinApp', ({ params, body }) => versions.pin(params.appName, body.pinned));
  serve(router, 'removeApp', ({ params }) => versions.remove(params.appName));
  serve(router, 'getStartupApp', () => ({ startupApp: startupApp.name }));
  serve(router, 'setStartupApp', async ({ body }) => ({ startupApp: await startupApp.choose(body.startupApp) }));
}
