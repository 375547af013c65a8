import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { PackageFiles } from '../../app-package/package-files.ts';
import { normalizedName } from '../../app-package/requirement.ts';
import type { AppSlotState } from '../../contract/apps/app-slot.ts';
import { type AppSource, identityOf, type RequestedSource } from '../../contract/apps/app-source.ts';
import type { AppManifest } from '../../contract/apps/apps.ts';
import { sourceText } from '../../contract/apps/source-text.ts';
import { JobFailed, storageFailed } from '../../jobs/errors.ts';
import type { JobProgress } from '../../jobs/job-queue.ts';
import type { KeyedMutex } from '../../shared/async/mutex.ts';
import type { Clock } from '../../shared/clock.ts';
import { makeFolder } from '../../shared/files/make-folder.ts';
import { DiskFull } from '../../shared/files/storage-errors.ts';
import { CommandFailed } from '../../shared/processes/run-command.ts';
import { isRunning } from '../installed/app-versions.ts';
import type { InstalledApps } from '../installed/installed-apps.ts';
import type { AppPythons } from '../python/app-pythons.ts';
import type { DownloadCaches } from '../python/download-cache.ts';
import type { PythonTools } from '../python/python-tools.ts';
import { addressBelow } from '../sources/install-address.ts';
import { type FetchDeps, findPackage } from '../sources/package-fetcher.ts';
import { submoduleFailure } from '../sources/submodules.ts';
import { checkClass } from './class-check.ts';
import { guardDisk, isDiskFull, needDisk } from './disk-guard.ts';
import { buildEnvironment, type EnvironmentDeps } from './environment-build.ts';
import { installFailure } from './install-failure.ts';
import { installRunner } from './install-runner.ts';
import { checkPackage, PythonForInstall } from './package-check.ts';

export interface PackageInstallDeps extends FetchDeps, EnvironmentDeps, ReplacementDeps {
  readonly apps: InstalledApps;
  readonly tools: PythonTools;
  readonly downloadCaches: DownloadCaches;
  readonly pythons: AppPythons;
  /** Serializes work on the same app. */
  readonly appLocks: KeyedMutex;
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

export interface PackageChoices {
  /** Whether a Python may be downloaded if no installed one suits the app. */
  readonly mayDownload: boolean;
  /** Whether the app may run meanwhile. Its environment is then left for `InstalledApps.removeUnused`. */
  readonly whileRunning: boolean;
}

/** The work of one install: fetches and checks a package, builds beside the live version, then switches. */
export class PackageInstall {
  readonly #wanted: RequestedSource;
  readonly #choices: PackageChoices;
  readonly #deps: PackageInstallDeps;
  /** Releases the locks of the app. */
  readonly #releases: (() => void)[] = [];

  constructor(wanted: RequestedSource, choices: PackageChoices, deps: PackageInstallDeps) {
    this.#wanted = wanted;
    this.#choices = choices;
    this.#deps = deps;
  }

  /** @throws JobFailed, or the reason of a cancel */
  async run(progress: JobProgress): Promise<void> {
    const { workDir, clock } = this.#deps;
    await makeFolder(workDir);
    const work = await mkdtemp(join(workDir, 'install-'));
    const guard = guardDisk(clock, workDir);
    try {
      const signal = AbortSignal.any([progress.signal, guard.signal]);
      await this.#install({ ...progress, signal }, work);
    } catch (error) {
      throw progress.signal.aborted ? error : await this.#failure(error);
    } finally {
      guard.end();
      // Removed before the app's lock is released, so that the next install finds no unfinished work.
      await rm(work, { recursive: true, force: true });
      for (const release of this.#releases) release();
    }
  }

  async #failure(error: unknown): Promise<unknown> {
    const { dataDir, workDir } = this.#deps;
    const failure = installFailure(error, dataDir);
    // A program may fail on a full disk with other words, or none.
    const isVague =
      error instanceof CommandFailed && failure instanceof JobFailed && failure.failure.reason === 'build';
    if (!isVague || !(await isDiskFull(workDir))) return failure;
    return storageFailed(new DiskFull(dataDir), error.lines);
  }

  async #install(progress: JobProgress, work: string): Promise<void> {
    const { tools, pythons, installerDir, installWithinMs, appLocks, workDir, dataDir, sdkVersion } = this.#deps;
    const { childEnvironment, cacheDir, clock } = this.#deps;
    const run = installRunner({ childEnvironment, cacheDir, work, progress });
    const sourceDir = join(work, 'source');

    progress.step('preflight');
    const [, found] = await Promise.all([
      tools.python(),
      findPackage(this.#wanted, this.#deps, { clock, progress, run, workDir: work, dataDir }),
    ]);
    const current = this.#interpreterOf(found.source);
    const { mayDownload, whileRunning } = this.#choices;
    const python = new PythonForInstall({ pythons, current, mayDownload, installWithinMs, dataDir, progress, run });
    const host = { choosePython: (range: string | null) => python.choose(range), sdkVersion: sdkVersion() };
    const isOwn = found.source.kind === 'folder';
    const checked = { isOwn, addressBelow: (folder: string) => addressBelow(found.source, folder, this.#deps) };
    // The download is copied into an environment.
    await needDisk(workDir, 2 * (found.sizeBytes ?? 0));
    const mayReplace = (appName: string) =>
      checkReplacement({ appName, source: found.source, whileRunning }, this.#deps);
    const admit = async (manifest: AppManifest) => {
      progress.appName(manifest.name);
      this.#releases.push(await appLocks.acquire(normalizedName(manifest.name), progress.signal));
      await mayReplace(manifest.name);
      return manifest;
    };
    const check = (files: PackageFiles | string) => python.check(() => checkPackage(files, host, checked, progress));
    const seen = found.files && (await admit(await check(found.files)));

    progress.step('download');
    const { source, submodules } = await found.fetch(sourceDir, check);
    try {
      progress.step('check');
      const manifest = seen ?? (await admit(await check(sourceDir)));

      const appPython = await python.of(manifest);
      const reading = { python: appPython.executable, installerDir, sourceDir, work, run };
      const pageInSources = await checkClass(reading, manifest);

      progress.step('tools');
      if (!tools.isPrepared) progress.detail('Preparing the tools that install apps (once).');
      await this.#deps.downloadCaches.ready();
      const prepared = await tools.prepare(appPython, run);
      const plan = { manifest, source, sourceDir, pageInSources, work, whileRunning, prepared, run, progress };
      // Checked again: the app may have been started meanwhile.
      await buildEnvironment(plan, this.#deps, () => mayReplace(manifest.name));
    } catch (error) {
      if (submodules.length === 0) throw error;
      throw submoduleFailure(await this.#failure(error), submodules, isOwn);
    }
  }

  /** The interpreter of the version that is installed from a source; null: none. */
  #interpreterOf(source: RequestedSource): string | null {
    const { apps } = this.#deps;
    const existing = apps.findFrom(source);
    return existing ? apps.launch(existing.name).python : null;
  }
}

interface ReplacementDeps {
  readonly apps: InstalledApps;
  readonly slot: { readonly state: AppSlotState };
  /** Whether two sources are of the same app, such as its author's folder and the Space it is published as. */
  readonly isSameApp: (installed: AppSource, wanted: RequestedSource) => Promise<boolean>;
}

/**
 * Checks whether an app may be installed under a name, from a source.
 * @param replacement.whileRunning whether it may run: it goes on with the environment that it was started in
 * @throws JobFailed when the app that is installed under that name must not be replaced
 */
async function checkReplacement(
  { appName, source, whileRunning }: { appName: string; source: RequestedSource; whileRunning: boolean },
  { apps, slot, isSameApp }: ReplacementDeps,
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
