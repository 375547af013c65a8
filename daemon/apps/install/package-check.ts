import { type AppHost, checkApp } from '../../app-package/check-app.ts';
import { type PackageFiles, readPackageFiles } from '../../app-package/package-files.ts';
import type { PackageFinding } from '../../app-package/package-finding.ts';
import type { AppManifest } from '../../contract/apps/apps.ts';
import type { JobFailure } from '../../contract/jobs.ts';
import { JobFailed } from '../../jobs/errors.ts';
import type { JobProgress } from '../../jobs/job-queue.ts';

/** Problems that are more than "not an app". */
const reasons: Readonly<Record<string, JobFailure['reason']>> = {
  'sdk-mismatch': 'sdk-mismatch',
  'python-version': 'python-missing',
};

/**
 * Checks a package before any of it is run; what it finds goes into the job's log.
 * @param files what there is to look at, or the folder that holds it
 * @param isOwn whether whoever installs it may mend it, since it is a folder of theirs
 * @throws JobFailed when it is no app that could be started here
 */
export async function checkPackage(
  files: PackageFiles | string,
  host: AppHost,
  isOwn: boolean,
  progress: JobProgress,
): Promise<AppManifest> {
  const looked = typeof files === 'string' ? await readPackageFiles(files) : files;
  const { manifest, findings } = await checkApp(looked, host);
  for (const { severity, message } of findings) progress.log(`${severity}: ${message}`);
  if (manifest) return manifest;
  const problems = findings.filter(({ severity }) => severity === 'problem');
  throw new JobFailed({
    reason: reasonOf(problems),
    message: problems.map(({ message }) => message).join(' '),
    action: actionFor(problems, isOwn),
  });
}

function reasonOf(problems: readonly PackageFinding[]): JobFailure['reason'] {
  const [first, ...others] = problems.map(({ code }) => reasons[code] ?? 'not-an-app');
  return first && others.every((other) => other === first) ? first : 'not-an-app';
}

function actionFor(problems: readonly PackageFinding[], isOwn: boolean): string {
  const told = problems.find(({ code, action }) => action && (isOwn || code !== 'no-pyproject'))?.action;
  return (
    told ?? (isOwn ? 'Mend the package, then install it again.' : 'Choose another app, or ask its author to mend it.')
  );
}
