import type { AppReadmes } from '../../apps/app-readmes.ts';
import type { AppInstaller } from '../../apps/install/app-installer.ts';
import type { UpdateCheck } from '../../apps/install/update-check.ts';
import type { AppVersions } from '../../apps/installed/app-versions.ts';
import type { InstalledApps } from '../../apps/installed/installed-apps.ts';
import type { AppNeeds } from '../../apps/needs/app-needs.ts';
import type { DownloadCaches } from '../../apps/python/download-cache.ts';
import type { AppVariables } from '../../apps/run/app-variables.ts';
import type { StartupApp } from '../../apps/startup-app.ts';
import type { SampleApp } from '../../contract/apps/apps.ts';
import type { Routes } from './serve-operations.ts';

export interface AppServices {
  readonly installed: InstalledApps;
  readonly samples: () => SampleApp[];
  readonly readmes: AppReadmes;
  readonly installer: AppInstaller;
  readonly versions: AppVersions;
  readonly updates: UpdateCheck;
  readonly startupApp: StartupApp;
  readonly downloadCaches: DownloadCaches;
  readonly needs: AppNeeds;
  readonly variables: AppVariables;
}

/** The installed apps and their changes, the endpoints that they use, and the variables that a user sets for them. */
export function appRoutes({
  installed,
  samples,
  readmes,
  installer,
  versions,
  updates,
  startupApp,
  downloadCaches,
  needs,
  variables,
}: AppServices) {
  return {
    listApps: () => installed.list(),
    listSampleApps: () => samples(),
    installApp: ({ body }) => installer.install(body.url, body),
    checkForUpdates: () => updates.check(),
    getApp: ({ params }) => installed.get(params.appName),
    getAppDisk: ({ params }) => installed.disk(params.appName),
    getAppReadme: ({ params }) => readmes.readme(params.appName),
    getAppImage: ({ params, query }) => readmes.image(params.appName, query.path),
    updateApp: ({ params, query }) => installer.update(params.appName, query),
    rollBackApp: ({ params }) => versions.rollBack(params.appName),
    pinApp: ({ params, body }) => versions.pin(params.appName, body.pinned),
    removeApp: ({ params }) => versions.remove(params.appName),
    getDownloadCache: () => downloadCaches.size(),
    pruneDownloadCache: () => downloadCaches.prune(),
    getStartupApp: () => ({ startupApp: startupApp.name }),
    setStartupApp: async ({ body }) => ({ startupApp: await startupApp.choose(body.startupApp) }),
    assignEndpoint: ({ params, body, caller }) => needs.assign(params.appName, params.need, body.endpoint, caller),
    listAppVariables: ({ params }) => variables.list(params.appName),
    setAppVariable: ({ params, body }) => variables.set(params.appName, params.variable, body),
    removeAppVariable: ({ params }) => variables.remove(params.appName, params.variable),
  } satisfies Partial<Routes>;
}
