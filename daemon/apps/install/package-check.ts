import { type AppHost, checkApp } from '../../app-package/check-app.ts';
import { type PackageFiles, readPackageFiles } from '../../app-package/package-files.ts';
import type { PackageFinding } from '../../app-package/package-finding.ts';
import { minorOf, type PythonChoice } from '../../app-package/python-finding.ts';
import type { AppManifest } from '../../contract/apps/apps.ts';
import type { JobFailure } from '../../contract/jobs.ts';
import { JobFailed } from '../../jobs/errors.ts';
import type { JobProgress } from '../../jobs/job-queue.ts';
import type { AppPythons } from '../python/app-pythons.ts';
import type { RunStep } from '../python/python-env.ts';
import type { Python } from '../python/python-finder.ts';
import { pythonDownloadFailure } from './install-failure.ts';

/** Problems with a specific reason; all others are `not-an-app`. */
const reasons: Readonly<Record<string, JobFailure['reason']>> = {
  'sdk-mismatch': 'sdk-mismatch',
  'python-version': 'python-missing',
};

interface CheckedSource {
  /** Whether the package is the user's own folder, so that they can fix it. */
  readonly isOwn: boolean;
  /** The address of an app in a folder below. */
  readonly addressBelow: (folder: string) => string;
}

/** Limit of the apps that a failure lists. */
const MAX_APPS = 50;

/**
 * Checks a package without running any of it, and writes the findings to the job's log.
 * @param files the files to check, or the folder that holds them
 * @throws JobFailed when the package is not an app that can run here
 */
export async function checkPackage(
  files: PackageFiles | string,
  host: AppHost,
  { isOwn, addressBelow }: CheckedSource,
  progress: JobProgress,
): Promise<AppManifest> {
  const packageFiles = typeof files === 'string' ? await readPackageFiles(files) : files;
  const { manifest, findings } = await checkApp(packageFiles, host);
  for (const { severity, message } of findings) progress.log(`${severity}: ${message}`);
  if (manifest) return manifest;
  const problems = findings.filter(({ severity }) => severity === 'problem');
  const apps = problems.flatMap(({ apps }) => apps ?? []).slice(0, MAX_APPS);
  const [{ pythonDownload } = {}, ...others] = problems;
  throw new JobFailed({
    reason: reasonOf(problems),
    message: problems.map(({ message }) => message).join(' '),
    action: actionFor(problems, isOwn),
    ...(apps.length > 0 && { apps: apps.map(({ name, folder }) => ({ name, address: addressBelow(folder) })) }),
    // A download would not help against another problem.
    ...(pythonDownload !== undefined && others.length === 0 && { pythonDownload }),
  });
}

function reasonOf(problems: readonly PackageFinding[]): JobFailure['reason'] {
  const [first, ...others] = problems.map(({ code }) => reasons[code] ?? 'not-an-app');
  return first && others.every((other) => other === first) ? first : 'not-an-app';
}

function actionFor(problems: readonly PackageFinding[], isOwn: boolean): string {
  const action = problems.find(({ code, action }) => action && (isOwn || code !== 'no-pyproject'))?.action;
  return (
    action ?? (isOwn ? 'Fix the package, then install it again.' : 'Choose another app, or ask its author to fix it.')
  );
}

interface PythonForInstallDeps {
  readonly pythons: AppPythons;
  /** The interpreter of the app's installed version; null: none. */
  readonly current: string | null;
  /** Whether the user lets the daemon download a Python for this app. */
  readonly mayDownload: boolean;
  readonly installWithinMs: number;
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
    const { pythons, progress, run, installWithinMs, dataDir } = this.#deps;
    progress.detail(`Downloading Python ${minorOf(version)}.`);
    await pythons.download(version, run, installWithinMs).catch((error: unknown) => {
      throw pythonDownloadFailure(error, minorOf(version), dataDir);
    });
  }
}
