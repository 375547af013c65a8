import { type RequestedSource, requestedOf } from '../../contract/apps/app-source.ts';
import type { InstalledApp } from '../../contract/apps/apps.ts';
import type { Job } from '../../contract/jobs.ts';
import type { JobProgress, JobQueue } from '../../jobs/job-queue.ts';
import { settlesWithin } from '../../shared/async/settles-within.ts';
import { InvalidBody } from '../../shared/invalid-input.ts';
import { AppIsPinned } from '../installed/errors.ts';
import { folderProblem } from '../sources/folder-source.ts';
import { installAddress, readInstallAddress } from '../sources/install-address.ts';
import { isCurrent, type LatestVersions } from '../sources/latest-version.ts';
import { type InstallChoices, type InstallDeps, installApp, installSteps } from './package-install.ts';

/** After this time a disk that does not answer, such as a lost network drive, is left to the job, which can be cancelled. */
const LOOK_MS = 2_000;

interface AppInstallerDeps extends InstallDeps {
  readonly jobs: JobQueue;
  readonly latestVersions: LatestVersions;
}

/** Installs and updates apps in jobs: builds beside the live version, tests the import, then switches atomically. */
export class AppInstaller {
  readonly #deps: AppInstallerDeps;

  constructor(deps: AppInstallerDeps) {
    this.#deps = deps;
  }

  /**
   * Installs the app at an address, or updates it if it is already installed from there. An address that can be refused without
   * the network is refused before there is a job: a mistyped one leaves no failed job.
   * @param how.revision a branch, a tag or a commit
   * @returns the job; a second request for the same address returns the job that is already running
   * @throws InvalidBody when no app can be installed from the address, or no folder is there
   */
  async install(url: string, how: InstallChoices & { readonly revision?: string | undefined } = {}): Promise<Job> {
    const { hub, samplesDir } = this.#deps;
    const wanted = readInstallAddress(url, how.revision, { hubUrl: await hub.address(), samplesDir });
    await this.#requireFolder(wanted);
    return this.#begin(wanted, how);
  }

  /**
   * Builds the environment for an app that its author runs from its folder, also while it runs.
   * @returns the job
   */
  async installOwn(folder: string): Promise<Job> {
    return this.#begin({ kind: 'folder', path: folder }, { whileRunning: true });
  }

  /**
   * Installs the newest version from the app's source. The job changes nothing when that is the installed one.
   * @throws AppNotInstalled, AppIsPinned
   */
  async update(name: string, choices: InstallChoices = {}): Promise<Job> {
    const app = this.#deps.apps.get(name);
    if (app.pinned) throw new AppIsPinned(name);
    return this.#begin(requestedOf(app.source), choices, app);
  }

  /** @throws InvalidBody when a source on this machine is no folder; the job looks again, before it copies */
  async #requireFolder(wanted: RequestedSource): Promise<void> {
    if (wanted.kind !== 'folder' && wanted.kind !== 'sample') return;
    const looking = folderProblem(installAddress(wanted, this.#deps));
    const message = (await settlesWithin(this.#deps.clock, LOOK_MS, looking)) ? await looking : null;
    if (message !== null) throw new InvalidBody(message, [{ path: ['url'], message }]);
  }

  async #begin(wanted: RequestedSource, choices: InstallChoices, updates: InstalledApp | null = null): Promise<Job> {
    const { jobs, apps } = this.#deps;
    const existing = apps.findFrom(wanted);
    const job = jobs.add({
      kind: existing ? 'update-app' : 'install-app',
      subject: installAddress(wanted, this.#deps),
      appName: existing?.name ?? null,
      steps: installSteps,
      work: async (progress) => {
        if (updates && (await this.#isCurrent(updates, progress))) return;
        await installApp(wanted, choices, this.#deps, progress);
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
    this.#deps.apps.offer(name, { update: null, updateProblem: null });
    progress.log(`${name} ${version} is the newest version of its source, so nothing was changed.`);
    return true;
  }
}
