import { join } from 'node:path';
import { AppIcons } from './apps/app-icons.ts';
import { AppReadmes } from './apps/app-readmes.ts';
import { AppStore } from './apps/app-store.ts';
import { AppInstaller } from './apps/install/app-installer.ts';
import { ToolsAhead } from './apps/install/tools-ahead.ts';
import { UpdateCheck } from './apps/install/update-check.ts';
import { AppVersions } from './apps/installed/app-versions.ts';
import { InstalledApps } from './apps/installed/installed-apps.ts';
import { ShippedApps } from './apps/installed/shipped-apps.ts';
import { judgeUpdate } from './apps/installed/update-trial.ts';
import { AppNeeds } from './apps/needs/app-needs.ts';
import type { RunEndpoints } from './apps/needs/run-endpoints.ts';
import { RunNeeds, type RunNeedsDeps } from './apps/needs/run-needs.ts';
import { AppPythons } from './apps/python/app-pythons.ts';
import { DownloadCaches } from './apps/python/download-cache.ts';
import type { InstalledPythons } from './apps/python/installed-pythons.ts';
import type { PythonTools } from './apps/python/python-tools.ts';
import { AppResets } from './apps/reset/app-resets.ts';
import { AppOutput } from './apps/run/app-output.ts';
import { AppRunner } from './apps/run/app-runner.ts';
import type { AppSlot } from './apps/run/app-slot.ts';
import { AppVariables } from './apps/run/app-variables.ts';
import { RunHistory } from './apps/run/run-history.ts';
import { LatestVersions } from './apps/sources/latest-version.ts';
import { addressByName, StartupApp } from './apps/startup-app.ts';
import type { Job } from './contract/jobs.ts';
import type { BaseParts } from './create-base.ts';
import { HubClient } from './hub/hub-client.ts';
import { HubSignIn } from './hub/hub-sign-in.ts';
import { HubToken } from './hub/hub-token.ts';
import type { JobQueue } from './jobs/job-queue.ts';
import { isSameApp } from './own-apps/same-app.ts';
import type { Robot } from './robot/robot.ts';
import { KeyedMutex } from './shared/async/mutex.ts';
import { type SafeFetch, safeFetch } from './shared/net/safe-fetch.ts';

export interface AppsDeps extends BaseParts {
  readonly slot: AppSlot;
  readonly tools: PythonTools;
  readonly installedPythons: InstalledPythons;
  readonly robot: Robot;
  readonly jobs: JobQueue;
  /** The endpoints for runs, the addresses of their interface, and the keys to them. */
  readonly endpoints: RunEndpoints & Pick<RunNeedsDeps, 'urlOf' | 'issueKey'>;
  /** The addresses of the Spaces that an author's folder is published as. */
  readonly publishedAt: (folder: string) => Promise<readonly string[]>;
  /** @throws StorageError when the data folder takes nothing */
  readonly requireRoom: () => Promise<void>;
}

export type Apps = ReturnType<typeof createApps>;

const SEARCH_MS = 30_000;

/** Whether jobs of a kind build environments from the downloads that installs keep. */
const usesDownloads = (kind: Job['kind']) => kind !== 'install-runtime' && kind !== 'check-installation';

/** Composes the services for apps. Nothing runs until `load`. */
export function createApps(deps: AppsDeps) {
  const { options, paths, slot, tools, jobs, secrets, childEnvironment, publish, clock, log } = deps;
  const { hubUrl, resources } = options;
  const installerDir = join(resources.assetsDir, 'installer');
  const shipped = new ShippedApps(resources.assetsDir);
  const pythons = new AppPythons({ tools, installed: deps.installedPythons, installerDir, childEnvironment });

  const hubToken = new HubToken({ file: paths.hubTokenFile, hubUrl, secrets, publish, log });
  const hub = new HubClient({
    ...{ hubUrl, clock, log },
    token: () => hubToken.value(),
    onTokenRefused: (token) => void hubToken.refused(token),
  });
  const choosePython = (requiresPython: string | null) =>
    pythons.choose({ requiresPython, current: null, run: null, signal: clock.timeout(SEARCH_MS) });
  const store = new AppStore({
    ...deps,
    ...{ hub, hubUrl, file: paths.storeFile },
    host: () =>
      tools.python().then(
        () => ({ choosePython, sdkVersion: shipped.sdkVersion }),
        () => null,
      ),
  });

  const installed = new InstalledApps({
    appsDir: paths.apps,
    workDir: paths.work,
    publish: (event) => {
      publish(event);
      startupApp.appsChanged();
    },
    log,
  });
  const readmes = new AppReadmes({ apps: installed, samplesDir: shipped.samplesDir, hub, clock });

  const output = new AppOutput({ publish, clock });
  const variables = new AppVariables({ folderOf: (name) => installed.folderOf(name), secrets, log });
  const history = new RunHistory({ clock, file: paths.runsFile, dir: paths.runs, output, publish, log });
  const runner = new AppRunner({
    ...deps,
    ...{ output, history, variables },
    findApp: (name) => installed.launch(name),
    needs: new RunNeeds({ ...deps.endpoints, endpoints: deps.endpoints, log }),
    onRunEnded: (run) => judgeUpdate(run, installed, { now: clock.now, log }),
    // The SDK downloads recorded moves from the same hub.
    childEnvironment: () => ({ ...childEnvironment(), ...(hubUrl !== null && { ROBOT_HUB_URL: hubUrl }) }),
    daemonUrl: () => deps.address.url,
    sdkVersion: () => shipped.sdkVersion,
  });

  const fetchSafely: SafeFetch = async (url, request) =>
    safeFetch({ hubOrigin: new URL(await hub.address()).origin })(url, request);
  const latestVersions = new LatestVersions({ ...deps, hub, safeFetch: fetchSafely, workDir: paths.work });
  const isInstall = ({ kind, endedAt }: Job) => usesDownloads(kind) && endedAt === null;
  const downloadCaches = new DownloadCaches({
    cacheDir: paths.cache,
    toolsDir: paths.tools,
    isInstalling: () => jobs.list().some(isInstall),
    childEnvironment,
  });
  const toolsAhead = new ToolsAhead({
    ...{ tools, downloadCaches, workDir: paths.work, cacheDir: paths.cache, childEnvironment, log },
  });
  const appLocks = new KeyedMutex();
  const resets = new AppResets({ apps: installed, slot, appLocks, variables, workDir: paths.work, clock, log });
  const installer = new AppInstaller({
    ...deps,
    ...{ apps: installed, downloadCaches, latestVersions, pythons, appLocks, installerDir },
    ...{ hub, safeFetch: fetchSafely },
    ...{ samplesDir: shipped.samplesDir, dataDir: paths.root, workDir: paths.work, cacheDir: paths.cache },
    installWithinMs: options.installWithinMs,
    sdkVersion: () => shipped.sdkVersion,
    isSameApp: (existing, wanted) => isSameApp(existing, wanted, deps.publishedAt),
  });

  const startupApp = new StartupApp({
    ...deps,
    file: paths.startupAppFile,
    forThisRun: options.startupApp,
    findApp: (name) => installed.find(name),
    findInCatalog: (name) => addressByName(name, { shipped, store }),
    install: async (url) => jobs.ended((await installer.install(url)).id),
    startApp: (name) => runner.start(name),
  });

  return {
    slot,
    output,
    history,
    variables,
    needs: new AppNeeds({ apps: installed, endpoints: deps.endpoints }),
    installed,
    readmes,
    icons: new AppIcons({ apps: installed, samples: () => shipped.samples }),
    runner,
    installer,
    startupApp,
    resets,
    versions: new AppVersions({ apps: installed, slot, appLocks, startupApp, history, now: clock.now, log }),
    updates: new UpdateCheck({ apps: installed, versions: latestVersions, clock, log }),
    downloadCaches,
    toolsAhead,
    pythons,
    store,
    hub,
    hubToken,
    hubSignIn: new HubSignIn({ hub, token: hubToken, store, clock }),
    samples: () => shipped.samples,
    sdkVersion: () => shipped.sdkVersion,
    /** Reads the saved state of earlier runs of the daemon. */
    load: async (): Promise<void> => {
      await Promise.all([shipped.load(), installed.load(), hubToken.load(), history.load()]);
      await resets.load();
      if (history.newest) slot.remember(history.newest);
      await startupApp.load();
    },
  };
}
