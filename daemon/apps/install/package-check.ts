import { checkApp } from '../../app-package/check-app.ts';
import type { PackageFiles } from '../../app-package/package-files.ts';
import type { PackageFinding } from '../../app-package/package-finding.ts';
import { minorOf } from '../../app-package/python-finding.ts';
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

/** Limit of the apps that a failure lists. */
const MAX_APPS = 50;

/** An app that can run here, with the Python for it. */
export interface CheckedPackage {
  readonly manifest: AppManifest;
  readonly python: Python;
}

/** The install that a package is checked for. */
interface CheckingInstall {
  readonly pythons: AppPythons;
  readonly sdkVersion: () => string;
  /** The interpreter of the app's installed version; null: none. */
  readonly current: string | null;
  /** Whether the user lets the daemon download a Python for this app. */
  readonly downloadPython: boolean;
  /** Whether the package is the user's own folder, so that they can fix it. */
  readonly isOwn: boolean;
  /** The address of an app in a folder below. */
  readonly addressBelow: (folder: string) => string;
  readonly installWithinMs: number;
  readonly dataDir: string;
  readonly progress: JobProgress;
  readonly run: RunStep;
}

/**
 * Checks a package without running any of it, and once more with a downloaded Python if only that was missing and the user
 * accepted the download.
 * @throws JobFailed when the package is not an app that can run here, PythonMissing, or the reason of a cancel
 */
export async function checkPackage(files: PackageFiles, install: CheckingInstall): Promise<CheckedPackage> {
  try {
    return await check(files, install);
  } catch (error) {
    const version = error instanceof JobFailed ? error.failure.pythonDownload : undefined;
    if (version === undefined || !install.downloadPython) throw error;
    await downloadPython(version, install);
    return check(files, install);
  }
}

/** Writes the findings to the job's log. */
async function check(files: PackageFiles, install: CheckingInstall): Promise<CheckedPackage> {
  const { pythons, sdkVersion, current, isOwn, addressBelow, progress, run } = install;
  const { manifest, python, findings } = await checkApp(files, {
    choosePython: (requiresPython) => pythons.choose({ requiresPython, current, signal: progress.signal, run }),
    sdkVersion: sdkVersion(),
  });
  for (const { severity, message } of findings) progress.log(`${severity}: ${message}`);
  if (manifest && python) return { manifest, python };
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

async function downloadPython(version: string, { pythons, progress, ...install }: CheckingInstall): Promise<void> {
  const { run, installWithinMs, dataDir } = install;
  progress.detail(`Downloading Python ${minorOf(version)}.`);
  await pythons.download(version, run, installWithinMs).catch((error: unknown) => {
    throw pythonDownloadFailure(error, minorOf(version), dataDir);
  });
}
