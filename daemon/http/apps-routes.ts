import type { Router } from 'express';
import type { AppInstaller } from '../apps/app-installer.ts';
import type { AppOutput } from '../apps/app-output.ts';
import type { AppRunner } from '../apps/app-runner.ts';
import type { AppSlot } from '../apps/app-slot.ts';
import type { InstalledApps } from '../apps/installed-apps.ts';
import type { StartupApp } from '../apps/startup-app.ts';
import type { SampleApp } from '../contract/apps.ts';
import { serve } from './serve.ts';

export interface AppsServices {
  readonly apps: InstalledApps;
  readonly sampleApps: readonly SampleApp[];
  readonly installer: AppInstaller;
  readonly startupApp: StartupApp;
  readonly runner: AppRunner;
  readonly slot: AppSlot;
  readonly output: AppOutput;
}

export function appsRoutes(router: Router, services: AppsServices): void {
  const { apps, sampleApps, installer, startupApp, runner, slot, output } = services;
  serve(router, 'listApps', () => apps.list());
  serve(router, 'listSampleApps', () => [...sampleApps]);
  serve(router, 'installApp', ({ body }) => installer.install(body.url));
  serve(router, 'startApp', ({ params }) => runner.start(params.appName));
  serve(router, 'stopCurrentApp', ({ query }) => runner.stop({ force: query.force ?? false }));
  serve(router, 'getStartupApp', () => ({ startupApp: startupApp.name }));
  serve(router, 'setStartupApp', async ({ body }) => {
    await startupApp.choose(body.startupApp);
    return { startupApp: startupApp.name };
  });
  serve(router, 'getAppSlot', () => slot.state);
  serve(router, 'getAppOutput', ({ query }) => output.page(query.after));
}
