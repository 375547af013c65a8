import { homedir } from 'node:os';
import { join } from 'node:path';
import type { PythonTools } from './apps/python/python-tools.ts';
import type { CheckDeps } from './assistant/check/check-deps.ts';
import type { Apps } from './create-apps.ts';
import type { BaseParts } from './create-base.ts';
import type { JobQueue } from './jobs/job-queue.ts';
import { OwnAppList } from './own-apps/own-app-list.ts';
import { OwnAppsService, type OwnAppTools } from './own-apps/own-apps.ts';
import { FolderRuns } from './own-apps/run/folder-runs.ts';
import { lazy } from './shared/async/lazy.ts';

export interface OwnAppsParts {
  readonly apps: Apps;
  readonly jobs: JobQueue;
  readonly tools: PythonTools;
  readonly list: OwnAppList;
  /** @throws StorageError when the data folder takes nothing */
  readonly requireRoom: () => Promise<void>;
}

/** The folder for new apps, below the home folder of the daemon's user. */
const PROPOSED_FOLDER = 'robot-apps';
const GIT_MS = 10_000;

export function createOwnAppList({ options, paths, publish, clock, log }: BaseParts): OwnAppList {
  return new OwnAppList({
    file: paths.ownAppsFile,
    proposedFolder: join(homedir(), PROPOSED_FOLDER),
    canOpen: options.opener !== undefined,
    publish,
    now: clock.now,
    log,
  });
}

/** Finds the addresses of the Space that a folder is published as: in its Git remote, and as the list records it. */
export function publishedAddresses(list: OwnAppList, { childEnvironment, clock }: BaseParts) {
  return async (folder: string): Promise<string[]> => {
    // A list that cannot be read now does not keep an app from being installed.
    const loaded = list.load().catch(() => {});
    const [remote] = await Promise.all([
      remoteOf(folder, childEnvironment(), clock.timeout(GIT_MS)).catch(() => null),
      loaded,
    ]);
    return [remote, list.publicationOf(folder)?.space?.url].filter((address) => typeof address === 'string');
  };
}

async function remoteOf(
  folder: string,
  environment: Record<string, string>,
  signal: AbortSignal,
): Promise<string | null> {
  const { openFolderGit, spaceRemote } = await import('./assistant/publish/git/folder-git.ts');
  const { kind, git } = await openFolderGit(folder, environment, signal);
  return kind === 'own' ? spaceRemote(git) : null;
}

/** Composes the service for the apps that the user writes. Parts that only requests use are loaded on request. */
export function createOwnApps(base: BaseParts, parts: OwnAppsParts): OwnAppsService {
  const { apps, jobs, list, requireRoom } = parts;
  const checked = { ...parts, checkDeps: checkDepsOf(base, parts) };
  const tools = createTools(base, checked);
  return new OwnAppsService({
    list,
    runs: createRuns(base, checked),
    tools,
    jobs,
    hubToken: () => apps.hubToken.value(),
    opener: base.options.opener ?? null,
    requireRoom,
    onPublished: () => void apps.store.changedHere(),
    dataDir: base.paths.root,
    clock: base.clock,
    log: base.log,
  });
}

function createTools({ options, childEnvironment }: BaseParts, { apps, checkDeps }: CheckedParts): OwnAppTools {
  const templatesDir = join(options.resources.assetsDir, 'app-templates');
  const check = async () => ({ ...(await import('./assistant/check/check-own-app.ts')), deps: await checkDeps() });
  const quickCheck: OwnAppTools['quickCheck'] = async (folder, signal) => {
    const { quickCheck, deps } = await check();
    return quickCheck(folder, deps, signal);
  };
  const fix: OwnAppTools['fix'] = async (folder, findings) => {
    const { fixFindings } = await check();
    return fixFindings(folder, findings);
  };
  const publish = async () => import('./assistant/publish/publish-app.ts');
  const publishDeps = { hub: apps.hub, environment: childEnvironment, check: quickCheck, fix };
  return {
    create: async (wanted) => {
      const { createApp } = await import('./assistant/create/create-app.ts');
      return createApp(wanted, { templatesDir });
    },
    quickCheck,
    fullCheck: async (folder) => {
      const { fullCheck, checkSteps, deps } = await check();
      return { steps: checkSteps, run: (progress) => fullCheck(folder, deps, progress) };
    },
    fix,
    preview: async (folder, choices, { signal, ...how }) => {
      const { previewPublication } = await publish();
      return previewPublication(folder, choices, { ...publishDeps, ...how }, signal);
    },
    publish: async (folder, choices, how) => {
      const { publishApp, publishSteps } = await publish();
      return {
        steps: publishSteps,
        run: (progress) => publishApp(folder, choices, { ...publishDeps, ...how }, progress),
      };
    },
  };
}

type CheckedParts = OwnAppsParts & { readonly checkDeps: () => Promise<CheckDeps> };

/** The checks share the tools and downloads of installs. */
function checkDepsOf({ options, paths, childEnvironment, clock }: BaseParts, { apps, tools }: OwnAppsParts) {
  const { assetsDir } = options.resources;
  return lazy(async () => {
    const { checkDepsOf } = await import('./assistant/check/check-deps.ts');
    const { pythons, downloadCaches, sdkVersion } = apps;
    const { installWithinMs } = options;
    return checkDepsOf({
      ...{ assetsDir, cacheDir: paths.cache, tools, pythons, downloadCaches, sdkVersion, installWithinMs },
      ...{ childEnvironment, clock },
    });
  });
}

function createRuns({ clock, log }: BaseParts, { apps, jobs, list, checkDeps }: CheckedParts): FolderRuns {
  return new FolderRuns({
    slot: apps.slot,
    onChange: (folder, run) => list.runChanged(folder, run),
    onDescription: (folder) => void list.refreshFolder(folder),
    load: async () => {
      const [{ FolderRun }, { watchFolder }, { inspectedFolder }, { checkRules }] = await Promise.all([
        import('./own-apps/run/folder-run.ts'),
        import('./own-apps/run/folder-watch.ts'),
        import('./own-apps/run/runnable-folder.ts'),
        import('./assistant/check/check-rules.ts'),
      ]);
      const { runner, installed, installer } = apps;
      const deps = await checkDeps();
      return {
        newRun: (folder, listeners) =>
          new FolderRun(folder, {
            ...listeners,
            ...{ runner, installed, installer, jobs, log },
            watch: (path, watching) => watchFolder(clock, path, watching),
            inspect: async (path, signal) => inspectedFolder(await checkRules(path, deps, signal)),
          }),
      };
    },
  });
}
