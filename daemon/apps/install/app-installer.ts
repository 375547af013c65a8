import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { PackageFiles } from '../../app-package/package-files.ts';
import type { AppSlotState } from '../../contract/apps/app-slot.ts';
import { identityOf, type RequestedSource, requestedOf, sourceText } from '../../contract/apps/app-source.ts';
import type { AppManifest, InstalledApp } from '../../contract/apps/apps.ts';
import type { Job } from '../../contract/jobs.ts';
import { JobFailed, storageFailed } from '../../jobs/errors.ts';
import type { JobProgress, JobQueue } from '../../jobs/job-queue.ts';
import type { KeyedMutex } from '../../shared/async/mutex.ts';
import { makeFolder } from '../../shared/files/make-folder.ts';
import { DiskFull } from '../../shared/files/storage-errors.ts';
import { CommandFailed, type CommandOptions, runCommand } from '../../shared/processes/run-command.ts';
import { isRunning } from '../installed/app-versions.ts';
import { AppIsPinned } from '../installed/errors.ts';
import { appKey, type InstalledApps } from '../installed/installed-apps.ts';
import type { AppPythons } from '../python/app-pythons.ts';
import type { DownloadCaches } from '../python/download-cache.ts';
import { installEnvironment } from '../python/install-environment.ts';
import type { RunStep } from '../python/python-env.ts';
import type { PythonTools } from '../python/python-tools.ts';
import { addressBelow, installAddress, readInstallAddress } from '../sources/install-address.ts';
import { isCurrent, type LatestVersions } from '../sources/latest-version.ts';
import { checkPackage } from '../sources/package-check.ts';
import { type FetchDeps, findPackage } from '../sources/package-fetcher.ts';
import { submoduleFailure } from '../sources/submodules.ts';
import { checkClass } from './class-check.ts';
import { guardDisk, isDiskFull, needDisk } from './disk-guard.ts';
import { buildEnvironment, type EnvironmentDeps } from './environment-build.ts';
import { installFailure } from './install-failure.ts';
import { PythonForInstall } from './python-for-install.ts';

export interface AppInstallerDeps extends FetchDeps, EnvironmentDeps {
  readonly jobs: JobQueue;
  readonly apps: InstalledApps;
  readonly tools: PythonTools;
  readonly latestVersions: LatestVersions;
  readonly downloadCaches: DownloadCaches;
  readonly pythons: AppPythons;
  readonly slot: { readonly state: AppSlotState };
  /** Serializes work on the same app. */
  readonly appLocks: KeyedMutex;
  /** Holds work in progress; emptied at each start. */
  readonly workDir: string;
  readonly sdkVersion: () => string;
  /** Holds downloads for later installs. */
  readonly cacheDir: string;
  readonly childEnvironment: () => Record<string, string>;
}

/** The choices of the user about an install. */
export interface InstallChoices {
  readonly revision?: string | undefined;
  /** Whether a Python may be downloaded if no installed one suits the app. */
  readonly downloadPython?: boolean | undefined;
}

const steps = [
  { name: 'preflight', title: 'Inspect the source' },
  { name: 'download', title: 'Get the package' },
  { name: 'check', title: 'Check the package' },
  { name: 'tools', title: 'Prepare Python' },
  { name: 'build', title: 'Build the environment' },
  { name: 'import', title: 'Test the import' },
  { name: 'switch', title: 'Activate the app' },
] as const;

const DEFAULT_DEADLINE_MS = 60_000;

/** Installs and updates apps in jobs: builds beside the live version, tests the import, then switches atomically. */
export class AppInstaller {
  readonly #deps: AppInstallerDeps;

  constructor(deps: AppInstallerDeps) {
    this.#deps = deps;
  }

  /**
   * Installs the app at an address, or updates it if it is already installed from there.
   * @param how.revision a branch, a tag or a commit
   * @returns the job; a second request for the same address returns the job that is already running
   * @throws InvalidBody when no app can be installed from the address
   */
  async install(url: string, { revision, ...accepted }: InstallChoices = {}): Promise<Job> {
    const { hub, samplesDir } = this.#deps;
    return this.#begin(readInstallAddress(url, revision, { hubUrl: await hub.address(), samplesDir }), accepted);
  }

  /**
   * Installs the newest version from the app's source. The job changes nothing when that is the installed one.
   * @throws AppNotInstalled, AppIsPinned
   */
  async update(name: string, accepted: Omit<InstallChoices, 'revision'> = {}): Promise<Job> {
    const app = this.#deps.apps.get(name);
    if (app.pinned) throw new AppIsPinned(name);
    return this.#begin(requestedOf(app.source), accepted, app);
  }

  async #begin(
    wanted: RequestedSource,
    { downloadPython = false }: InstallChoices,
    updates: InstalledApp | null = null,
  ): Promise<Job> {
    const { jobs, apps } = this.#deps;
    const existing = apps.list().find(({ source }) => identityOf(source) === identityOf(wanted));
    const job = jobs.add({
      kind: existing ? 'update-app' : 'install-app',
      subject: installAddress(wanted, this.#deps),
      appName: existing?.name ?? null,
      steps,
      work: async (progress) => {
        if (updates && (await this.#isCurrent(updates, progress))) return;
        await this.#work(wanted, downloadPython, progress);
      },
    });
    await jobs.saved();
    return job;
  }

  /** Whether the source has nothing newer. A failure to find out is left to the install. */
  async #isCurrent({ name, version, source }: InstalledApp, progress: JobProgress): Promise<boolean> {
    progress.step('preflight');
    const latest = await this.#deps.latestVersions.find(source, progress.signal).catch(() => null);
    progress.signal.throwIfAborted();
    if (!isCurrent(source, latest)) return false;
    this.#deps.apps.offer(name, null);
    progress.log(`${name} ${version} is the newest version of its source, so nothing was changed.`);
    return true;
  }

  async #work(wanted: RequestedSource, mayDownload: boolean, progress: JobProgress): Promise<void> {
    const { workDir } = this.#deps;
    await makeFolder(workDir);
    const work = await mkdtemp(join(workDir, 'install-'));
    const guard = guardDisk(workDir);
    const releases: (() => void)[] = [];
    try {
      const signal = AbortSignal.any([progress.signal, guard.signal]);
      const holdLock = (release: () => void) => releases.push(release);
      await this.#install({ wanted, mayDownload }, { ...progress, signal }, work, holdLock);
    } catch (error) {
      throw progress.signal.aborted ? error : await this.#failure(error);
    } finally {
      guard.end();
      // Removed before the app's lock is released, so that the next install finds no unfinished work.
      await rm(work, { recursive: true, force: true });
      for (const release of releases) release();
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

  async #install(
    { wanted, mayDownload }: { readonly wanted: RequestedSource; readonly mayDownload: boolean },
    progress: JobProgress,
    work: string,
    holdLock: (release: () => void) => void,
  ): Promise<void> {
    const { tools, pythons, installerDir, installWithinMs, appLocks, workDir, dataDir, sdkVersion } = this.#deps;
    const run = this.#runner(progress, work);
    const sourceDir = join(work, 'source');

    progress.step('preflight');
    const [, found] = await Promise.all([
      tools.python(),
      findPackage(wanted, this.#deps, { progress, run, workDir: work, dataDir }),
    ]);
    const current = this.#interpreterOf(found.source);
    const python = new PythonForInstall({
      ...{ pythons, current, mayDownload, downloadWithinMs: installWithinMs, dataDir, progress, run },
    });
    const host = { choosePython: (range: string | null) => python.choose(range), sdkVersion: sdkVersion() };
    const isOwn = found.source.kind === 'folder';
    const checked = { isOwn, addressBelow: (folder: string) => addressBelow(found.source, folder, this.#deps) };
    // The download is copied into an environment.
    await needDisk(workDir, 2 * (found.sizeBytes ?? 0));
    const admit = async (manifest: AppManifest) => {
      progress.appName(manifest.name);
      holdLock(await appLocks.acquire(appKey(manifest.name), progress.signal));
      this.#admit(manifest, found.source);
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
      const plan = { manifest, source, sourceDir, pageInSources, work, prepared, run, progress };
      await buildEnvironment(plan, this.#deps, () =>
        // Checked again: the app may have been started meanwhile.
        this.#admit(manifest, found.source),
      );
    } catch (error) {
      if (submodules.length === 0) throw error;
      throw submoduleFailure(await this.#failure(error), submodules, isOwn);
    }
  }

  /** The interpreter of the version that is installed from a source; null: none. */
  #interpreterOf(source: RequestedSource): string | null {
    const { apps } = this.#deps;
    const existing = apps.list().find((app) => identityOf(app.source) === identityOf(source));
    return existing ? apps.launch(existing.name).python : null;
  }

  /** @throws JobFailed when the installed app of that name must not be replaced */
  #admit(manifest: AppManifest, source: RequestedSource): void {
    const { apps, slot } = this.#deps;
    const existing = apps.find(manifest.name);
    if (existing && (existing.name !== manifest.name || identityOf(existing.source) !== identityOf(source))) {
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
    if (isRunning(slot.state, manifest.name)) {
      throw new JobFailed({
        reason: 'app-running',
        message: `${manifest.name} is running, and a running app cannot be replaced.`,
        action: 'Stop it, then install again.',
      });
    }
  }

  #runner(progress: JobProgress, work: string): RunStep {
    const { childEnvironment, cacheDir } = this.#deps;
    const environment = () => ({
      ...installEnvironment(cacheDir, childEnvironment()),
      // Temporary files of a build are removed with the work folder.
      TMPDIR: work,
      TMP: work,
      TEMP: work,
    });
    return (file, args, { moreEnv, ...more }: Partial<CommandOptions> = {}) =>
      runCommand(file, args, {
        env: environment(),
        deadlineMs: DEFAULT_DEADLINE_MS,
        signal: progress.signal,
        onLine: (line) => progress.log(line),
        ...(moreEnv && { moreEnv }),
        ...more,
      });
  }
}
