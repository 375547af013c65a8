import { join } from 'node:path';
import { AppVersions } from './apps/app-versions.ts';
import { AppInstaller } from './apps/install/app-installer.ts';
import type { PythonTools } from './apps/install/python-tools.ts';
import { readSdkVersion } from './apps/install/sdk-version.ts';
import { UpdateCheck } from './apps/install/update-check.ts';
import { appKey, InstalledApps } from './apps/installed-apps.ts';
import { AppOutput } from './apps/run/app-output.ts';
import { AppRunner } from './apps/run/app-runner.ts';
import type { AppSlot } from './apps/run/app-slot.ts';
import { AppVariables } from './apps/run/app-variables.ts';
import { RunHistory } from './apps/run/run-history.ts';
import { readSampleApps } from './apps/sample-apps.ts';
import { StartupApp } from './apps/startup-app.ts';
import { AppStore } from './apps/store/app-store.ts';
import { UpdateTrial } from './apps/update-trial.ts';
import type { SampleApp } from './contract/apps.ts';
import type { DaemonOptions } from './daemon-options.ts';
import { HubClient } from './hub/hub-client.ts';
import { HubSignIn } from './hub/hub-sign-in.ts';
import { HubToken } from './hub/hub-token.ts';
import type { JobQueue } from './jobs/job-queue.ts';
import type { Robot } from './robot/robot.ts';
import type { Now } from './shared/clock.ts';
import type { DataPaths } from './shared/data-paths.ts';
import type { Publish } from './shared/event-bus.ts';
import type { Logger } from './shared/logger.ts';
import { type SafeFetch, safeFetch } from './shared/safe-fetch.ts';
import type { SecretStore } from './shared/secret-store.ts';
import { Turns } from './shared/turns.ts';

export interface AppsDeps {
  readonly options: DaemonOptions;
  readonly paths: DataPaths;
  readonly slot: AppSlot;
  readonly tools: PythonTools;
  readonly robot: Robot;
  readonly jobs: JobQueue;
  /** Keeps the hub's token, and the secrets among the variables of apps. */
  readonly secrets: SecretStore;
  readonly childEnvironment: () => Record<string, string>;
  readonly daemonUrl: () => string;
  readonly publish: Publish;
  readonly now: Now;
  readonly log: Logger;
}

export type Apps = ReturnType<typeof createApps>;

/** Composes all that has to do with apps. Nothing runs until `load`. */
export function createApps(deps: AppsDeps) {
  const { options, paths, slot, tools, robot, jobs, secrets, childEnvironment, daemonUrl, publish, now, log } = deps;
  const { assetsDir } = options.resources;
  const samplesDir = join(assetsDir, 'sample-apps');
  let samples: SampleApp[] = [];
  let sdkVersion = '';

  const { hubUrl } = options;
  const hubToken = new HubToken({ file: paths.hubTokenFile, hubUrl, secrets, publish, log });
  const hub = new HubClient({
    hubUrl,
    token: () => hubToken.value(),
    onTokenRefused: (token) => void hubToken.refused(token),
    log,
  });
  const store = new AppStore({
    hub,
    hubUrl,
    file: paths.storeFile,
    host: () =>
      tools.python().then(
        ({ version, standardModules }) => ({ pythonVersion: version, standardModules, sdkVersion }),
        () => null,
      ),
    publish,
    now,
    log,
  });
  const hubSignIn = new HubSignIn({ hub, token: hubToken, store });
  const fetchSafely: SafeFetch = async (url, request) =>
    safeFetch({ hubOrigin: new URL(await hub.address()).origin })(url, request);
  const output = new AppOutput({ publish, now });
  const installed = new InstalledApps({ appsDir: paths.apps, workDir: paths.work, publish, log });
  const variables = new AppVariables({ folderOf: (name) => installed.folderOf(name), secrets, log });
  const history = new RunHistory({ file: paths.runsFile, dir: paths.runs, output, publish, log });
  const trial = new UpdateTrial({ apps: installed, now, log });
  const runner = new AppRunner({
    findApp: (name) => installed.launch(name),
    slot,
    output,
    history,
    variables,
    robot,
    onRunEnded: (run) => trial.judge(run),
    childEnvironment,
    daemonUrl,
    sdkVersion: () => sdkVersion,
    now,
    log,
  });
  const turns = new Turns();
  const installer = new AppInstaller({
    jobs,
    apps: installed,
    tools,
    slot,
    turns,
    hub,
    safeFetch: fetchSafely,
    samplesDir,
    workDir: paths.work,
    cacheDir: paths.cache,
    installerDir: join(assetsDir, 'installer'),
    installWithinMs: options.installWithinMs,
    sdkVersion: () => sdkVersion,
    childEnvironment,
    now,
  });
  const startupApp = new StartupApp({
    file: paths.startupAppFile,
    forThisRun: options.startupApp,
    findApp: (name) => installed.find(name),
    findInCatalog: async (name) => {
      const sample = samples.find((app) => appKey(app.name) === appKey(name));
      if (sample) return sample.url;
      await store.ready();
      return store.addressOf(name);
    },
    install: async (url) => jobs.ended((await installer.install(url)).id),
    startApp: (name) => runner.start(name),
    slot,
    robot,
    publish,
    log,
  });

  const versions = new AppVersions({ apps: installed, slot, turns, startupApp, history, now, log });
  const updates = new UpdateCheck({ apps: installed, hub, safeFetch: fetchSafely, childEnvironment, now, log });

  return {
    slot,
    output,
    history,
    variables,
    installed,
    runner,
    installer,
    startupApp,
    versions,
    updates,
    store,
    hubToken,
    hubSignIn,
    samples: () => samples,
    /** Reads what earlier runs of the daemon have left. */
    async load(): Promise<void> {
      [samples, sdkVersion] = await Promise.all([
        readSampleApps(samplesDir),
        readSdkVersion(join(assetsDir, 'python-sdk')),
        installed.load(),
        hubToken.load(),
        history.load(),
      ]);
      if (history.newest) slot.remember(history.newest);
      await startupApp.load();
    },
  };
}
