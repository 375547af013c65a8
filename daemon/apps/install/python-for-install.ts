import type { PythonChoice } from '../../app-package/python-finding.ts';
import { minorOf } from '../../app-package/python-finding.ts';
import { JobFailed } from '../../jobs/errors.ts';
import type { JobProgress } from '../../jobs/job-queue.ts';
import type { AppPythons } from '../python/app-pythons.ts';
import type { RunStep } from '../python/python-env.ts';
import type { Python } from '../python/python-finder.ts';
import { pythonDownloadFailure } from './install-failure.ts';

export interface PythonForInstallDeps {
  readonly pythons: AppPythons;
  /** The interpreter of the app's installed version; null: none. */
  readonly current: string | null;
  /** Whether the user lets the daemon download a Python for this app. */
  readonly mayDownload: boolean;
  readonly downloadWithinMs: number;
  readonly dataDir: string;
  readonly progress: JobProgress;
  readonly run: RunStep;
}

/** Chooses the Python for one install, and downloads it if the user accepted that. */
export class PythonForInstall {
  readonly #deps: PythonForInstallDeps;
  readonly #choices = new Map<string | null, Promise<PythonChoice<Python>>>();

  constructor(deps: PythonForInstallDeps) {
    this.#deps = deps;
  }

  /** @throws PythonMissing, or the reason of a cancel */
  choose(requiresPython: string | null): Promise<PythonChoice<Python>> {
    const { pythons, current, progress, run } = this.#deps;
    const choice =
      this.#choices.get(requiresPython) ?? pythons.choose({ requiresPython, current, signal: progress.signal, run });
    this.#choices.set(requiresPython, choice);
    return choice;
  }

  /** The Python of an app that was checked. */
  async of({ requiresPython }: { readonly requiresPython: string | null }): Promise<Python> {
    const { chosen, preferred } = await this.choose(requiresPython);
    return chosen ?? preferred;
  }

  /**
   * Checks a package, and once more with a downloaded Python if only that was missing and the user accepted the download.
   * @throws JobFailed, or the reason of a cancel
   */
  async check<T>(check: () => Promise<T>): Promise<T> {
    try {
      return await check();
    } catch (error) {
      const version = error instanceof JobFailed ? error.failure.pythonDownload : undefined;
      if (version === undefined || !this.#deps.mayDownload) throw error;
      await this.#download(version);
      this.#choices.clear();
      return check();
    }
  }

  async #download(version: string): Promise<void> {
    const { pythons, progress, run, downloadWithinMs, dataDir } = this.#deps;
    progress.detail(`Downloading Python ${minorOf(version)}.`);
    await pythons.download(version, run, downloadWithinMs).catch((error: unknown) => {
      throw pythonDownloadFailure(error, minorOf(version), dataDir);
    });
  }
}
