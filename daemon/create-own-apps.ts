import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PythonTools } from './apps/python/python-tools.ts';
import type { CheckDeps } from './assistant/check/check-deps.ts';
import type { Apps } from './create-apps.ts';
import type { BaseParts } from './create-base.ts';
import type { JobQueue } from './jobs/job-queue.ts';
import { ownAppId } from './own-apps/own-app-folder.ts';
import { OwnAppList } from './own-apps/own-app-list.ts';
import { OwnAppsService } from './own-apps/own-apps.ts';
import { FolderRuns } from './own-apps/run/folder-runs.ts';

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
  const { openFolderGit, spaceRemote } = await import('./assistant/publish/folder-git.ts');
  const { kind, git } = await openFolderGit(folder, environment, signal);
  return kind === 'own' ? spaceRemote(git) : null;
}

/** Composes the service for the apps that the user writes. Parts that only requests use are loaded on request. */
export function createOwnApps(base: BaseParts, { apps, jobs, tools, list, requireRoom }: OwnAppsParts): OwnAppsService {
  const { options, paths, childEnvironment, clock, log } = base;
  const { assetsDir } = options.resources;
  const { pythons, sdkVersion, hub } = apps;
  // The checks share the tools and downloads of installs.
  const checkDeps: CheckDeps = {
    ...{ sdkVersion, tools, pythons, installerDir: join(assetsDir, 'installer'), cacheDir: paths.cache, clock },
    cacheReady: () => apps.downloadCaches.ready(),
    tempDir: tmpdir(),
    ...{ installWithinMs: options.installWithinMs, childEnvironment },
  };
  return new OwnAppsService({
    ...{ list, jobs, hub, checkDeps, templatesDir: join(assetsDir, 'app-templates'), requireRoom },
    runs: createRuns(base, { apps, jobs, list, checkDeps }),
    hubToken: () => apps.hubToken.value(),
    opener: options.opener ?? null,
    onPublished: () => void apps.store.changedHere(),
    ...{ dataDir: paths.root, clock, log },
  });
}

function createRuns(
  { clock, log }: BaseParts,
  { apps, jobs, list, checkDeps }: Pick<OwnAppsParts, 'apps' | 'jobs' | 'list'> & { readonly checkDeps: CheckDeps },
): FolderRuns {
  return new FolderRuns({
    slot: apps.slot,
    onChange: (folder, run) => list.runChanged(folder, run),
    onDescription: (folder) => void list.refresh(ownAppId(folder)).catch(() => {}),
    load: async () => {
      const [{ FolderRun }, { watchFolder }, { inspectedFolder }, { checkRules }] = await Promise.all([
        import('./own-apps/run/folder-run.ts'),
        import('./own-apps/run/folder-watch.ts'),
        import('./own-apps/run/runnable-folder.ts'),
        import('./assistant/check/check-rules.ts'),
      ]);
      const { runner, installed, installer } = apps;
      return (folder, listeners) =>
        new FolderRun(folder, {
          ...listeners,
          ...{ runner, installed, installer, jobs, log },
          watch: (path, watching) => watchFolder(clock, path, watching),
          inspect: async (path, signal) => inspectedFolder(await checkRules(path, checkDeps, signal)),
        });
    },
  });
}
