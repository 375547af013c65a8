import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type PackageFiles, readPackageFiles } from '../../app-package/package-files.ts';
import { normalizedName } from '../../app-package/requirement.ts';
import type { AppSlotState } from '../../contract/apps/app-slot.ts';
import { type AppSource, identityOf, type RequestedSource } from '../../contract/apps/app-source.ts';
import { sourceText } from '../../contract/apps/source-text.ts';
import { JobFailed, storageFailed } from '../../jobs/errors.ts';
import type { JobProgress } from '../../jobs/job-queue.ts';
import type { KeyedMutex } from '../../shared/async/mutex.ts';
import type { Clock } from '../../shared/clock.ts';
import { makeFolder } from '../../shared/files/make-folder.ts';
import { DiskFull } from '../../shared/files/storage-errors.ts';
import { CommandFailed } from '../../shared/processes/run-command.ts';
import { isRunning } from '../installed/app-versions.ts';
import type { AppPythons } from '../python/app-pythons.ts';
import type { DownloadCaches } from '../python/download-cache.ts';
import { pythonIn } from '../python/python-env.ts';
import type { PythonTools } from '../python/python-tools.ts';
import { readCode } from '../python/read-code.ts';
import { addressBelow } from '../sources/install-address.ts';
import { type FetchDeps, findPackage } from '../sources/package-fetcher.ts';
import { submoduleFailure } from '../sources/submodules.ts';
import { guardDisk, isDiskFull, needDisk } from './disk-guard.ts';
import { buildEnvironment, type EnvironmentDeps, needsIndex } from './environment-build.ts';
import { classRefused, installFailure } from './install-failure.ts';
import { installRunner } from './install-runner.ts';
import { checkPackage } from './package-check.ts';

export interface InstallDeps extends FetchDeps, EnvironmentDeps {
  readonly slot: { readonly state: AppSlotState };
  readonly tools: PythonTools;
  readonly downloadCaches: DownloadCaches;
  readonly pythons: AppPythons;
  /** Serializes work on the same app. */
  readonly appLocks: KeyedMutex;
  /** Whether two sources are of the same app, such as its author's folder and the Space it is published as. */
  readonly isSameApp: (installed: AppSource, wanted: RequestedSource) => Promise<boolean>;
  /** Holds work in progress; emptied at each start. */
  readonly workDir: string;
  /** Holds downloads for later installs. */
  readonly cacheDir: string;
  readonly childEnvironment: () => Record<string, string>;
  readonly clock: Clock;
}

/** The steps of an install, in their order. */
export const installSteps = [
  { name: 'preflight', title: 'Inspect the source' },
  { name: 'download', title: 'Get the package' },
  { name: 'check', title: 'Check the package' },
  { name: 'tools', title: 'Prepare Python' },
  { name: 'build', title: 'Build the environment' },
  { name: 'import', title: 'Test the import' },
  { name: 'switch', title: 'Activate the app' },
] as const;

export interface InstallChoices {
  /** Whether a Python may be downloaded if no installed one suits the app. */
  readonly downloadPython?: boolean | undefined;
  /** Whether the app may run meanwhile. Its environment is then left for `InstalledApps.removeUnused`. */
  readonly whileRunning?: boolean | undefined;
}

/**
 * The work of one install: fetches and checks a package, builds beside the live version, then switches.
 * @throws JobFailed, or the reason of a cancel
 */
export async function installApp(
  wanted: RequestedSource,
  choices: InstallChoices,
  deps: InstallDeps,
  progress: JobProgress,
): Promise<void> {
  const { workDir, clock } = deps;
  // Released after the work folder is removed, so that the next install of the app finds no unfinished work.
  using lock = new DisposableStack();
  await makeFolder(workDir);
  const work = await mkdtemp(join(workDir, 'install-'));
  const guard = guardDisk(clock, workDir);
  try {
    const signal = AbortSignal.any([progress.signal, guard.signal]);
    await installIn(work, { wanted, choices, deps, progress: { ...progress, signal }, lock });
  } catch (error) {
    throw progress.signal.aborted ? error : await failureOf(error, deps);
  } finally {
    guard.end();
    await rm(work, { recursive: true, force: true });
  }
}

async function failureOf(error: unknown, { dataDir, workDir }: InstallDeps): Promise<unknown> {
  const failure = installFailure(error, dataDir);
  // A program may fail on a full disk with other words, or none.
  const isVague = error instanceof CommandFailed && failure instanceof JobFailed && failure.failure.reason === 'build';
  if (!isVague || !(await isDiskFull(workDir))) return failure;
  return storageFailed(new DiskFull(dataDir), error.lines);
}

interface Install {
  readonly wanted: RequestedSource;
  readonly choices: InstallChoices;
  readonly deps: InstallDeps;
  readonly progress: JobProgress;
  /** Gets the lock of the app once its name is known. */
  readonly lock: DisposableStack;
}

async function installIn(work: string, { wanted, choices, deps, progress, lock }: Install): Promise<void> {
  const { apps, tools, appLocks, installerDir, workDir } = deps;
  const { downloadPython = false, whileRunning = false } = choices;
  const run = installRunner({ ...deps, work, progress });
  const sourceDir = join(work, 'source');

  progress.step('preflight');
  const [, found] = await Promise.all([tools.python(), findPackage(wanted, { ...deps, progress, run, workDir: work })]);
  const existing = apps.findFrom(found.source);
  const current = existing && pythonIn(apps.environmentOf(existing.name));
  const isOwn = found.source.kind === 'folder';
  const below = (folder: string) => addressBelow(found.source, folder, deps);
  // The download is copied into an environment.
  await needDisk(workDir, 2 * (found.sizeBytes ?? 0));
  const mayReplace = (appName: string) => checkReplacement({ appName, source: found.source, whileRunning }, deps);
  const check = (files: PackageFiles) =>
    checkPackage(files, { ...deps, current, downloadPython, isOwn, addressBelow: below, progress, run });
  const admit = async (files: PackageFiles) => {
    const checked = await check(files);
    const { name } = checked.manifest;
    progress.appName(name);
    lock.defer(await appLocks.acquire(normalizedName(name), progress.signal));
    await mayReplace(name);
    return checked;
  };
  const seen = found.files && (await admit(found.files));

  progress.step('download');
  const { source, submodules } = await found.fetch(sourceDir, check);
  try {
    progress.step('check');
    const { manifest, python } = seen ?? (await admit(await readPackageFiles(sourceDir)));
    const reading = { python: python.executable, installerDir, work, run, withFacts: false };
    const code = await readCode(sourceDir, manifest, reading);
    // Nothing is fetched for a package that is certainly no app. In all other cases the import tells.
    const { problem, customAppUrl: pageInSources } = code instanceof CommandFailed ? nothingKnown : code;
    if (problem !== null) throw classRefused(problem);

    progress.step('tools');
    if (!tools.isPrepared) progress.detail('Preparing the tools that install apps (once).');
    await deps.downloadCaches.ready();
    const prepared = await tools.prepare(python, run, { needsIndex: needsIndex(source, manifest) });
    const plan = { manifest, source, sourceDir, pageInSources, work, whileRunning, prepared, run, progress };
    // Checked again: the app may have been started meanwhile.
    await buildEnvironment(plan, deps, () => mayReplace(manifest.name));
  } catch (error) {
    if (submodules.length === 0) throw error;
    throw submoduleFailure(await failureOf(error, deps), submodules, isOwn);
  }
}

const nothingKnown = { problem: null, customAppUrl: null };

/**
 * Checks whether an app may be installed under a name, from a source.
 * @param replacement.whileRunning whether it may run: it goes on with the environment that it was started in
 * @throws JobFailed when the app that is installed under that name must not be replaced
 */
async function checkReplacement(
  { appName, source, whileRunning }: { appName: string; source: RequestedSource; whileRunning: boolean },
  { apps, slot, isSameApp }: InstallDeps,
): Promise<void> {
  const before = apps.find(appName);
  const isOther =
    before &&
    (before.name !== appName ||
      (identityOf(before.source) !== identityOf(source) && !(await isSameApp(before.source, source))));
  const existing = apps.find(appName); // it may have been removed meanwhile
  if (existing && isOther) {
    throw new JobFailed({
      reason: 'name-clash',
      message: `Another app is installed under this name: "${existing.name}" from ${sourceText(existing.source)}.`,
      action:
        source.kind === 'folder'
          ? `Remove ${existing.name} first, or give this app another name in pyproject.toml.`
          : `Remove ${existing.name} first to install this one.`,
    });
  }
  if (existing?.pinned) {
    throw new JobFailed({
      reason: 'pinned',
      message: `${existing.name} is pinned to version ${existing.version}.`,
      action: 'Unpin it, then install again.',
    });
  }
  if (!whileRunning && isRunning(slot.state, appName)) {
    throw new JobFailed({
      reason: 'app-running',
      message: `${appName} is running, and a running app cannot be replaced.`,
      action: 'Stop it, then install again.',
    });
  }
}
