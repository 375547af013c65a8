import { type AppHost, checkApp } from '../../app-package/check-app.ts';
import { type PackageFiles, readPackageFiles } from '../../app-package/package-files.ts';
import type { PackageFinding } from '../../app-package/package-finding.ts';
import type { AppManifest } from '../../contract/apps/apps.ts';
import type { JobFailure } from '../../contract/jobs.ts';
import { JobFailed } from '../../jobs/errors.ts';
import type { JobProgress } from '../../jobs/job-queue.ts';

/** Problems with a specific reason; all others are `not-an-app`. */
const reasons: Readonly<Record<string, JobFailure['reason']>> = {
  'sdk-mismatch': 'sdk-mismatch',
  'python-version': 'python-missing',
};

export interface CheckedSource {
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
