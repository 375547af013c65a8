import { sourceText } from '../../../daemon/contract/apps/app-source.ts';
import type { InstalledApp } from '../../../daemon/contract/apps/apps.ts';
import type { Job } from '../../../daemon/contract/jobs.ts';

/** What an install or an update may be known by: the app's name, the address it came from, or both. */
export interface InstallSubject {
  readonly name?: string;
  readonly address?: string;
}

export const isActive = (job: Job): boolean => job.state === 'queued' || job.state === 'running';

/** The newest install or update of that app; `jobs` are newest first. */
export function latestInstall(jobs: readonly Job[], { name, address }: InstallSubject): Job | undefined {
  return jobs.find(
    (job) => (name !== undefined && job.appName === name) || (address !== undefined && job.subject === address),
  );
}

/** What the lists of failures are made from. */
export interface FailureSources {
  readonly jobs: readonly Job[];
  readonly dismissed: readonly string[];
  readonly installedApps: readonly InstalledApp[];
}

/** Installs and updates that failed, were not put away, and that nothing later of the same app has made good. */
export function openFailures({ jobs, dismissed, installedApps }: FailureSources): readonly Job[] {
  return jobs.filter((job, index) => {
    if (job.state !== 'failed' || dismissed.includes(job.id)) return false;
    if (jobs.slice(0, index).some((later) => isSameApp(later, job))) return false;
    return !installedApps.some((app) => isAbout(job, app) && app.installedAt > (job.endedAt ?? job.createdAt));
  });
}

/** Why the last install or update of an installed app failed, until that is put away or made good. */
export const openFailureOf = (state: FailureSources, app: InstalledApp): Job | undefined =>
  openFailures(state).find((job) => isAbout(job, app));

/** A job that works on that installed app: known by its name, before that by where it comes from. */
export function isAbout(job: Job, { name, source }: InstalledApp): boolean {
  return job.appName === null
    ? withoutRevision(job.subject) === withoutRevision(sourceText(source))
    : job.appName === name;
}

function isSameApp(one: Job, other: Job): boolean {
  if (one.appName !== null && one.appName === other.appName) return true;
  return withoutRevision(one.subject) === withoutRevision(other.subject);
}

/** An address with its folder, but without the branch, tag or commit that was asked for. */
function withoutRevision(address: string): string {
  const [base = '', fragment = ''] = address.split('#');
  return [base, ...fragment.split('&').filter((part) => part.startsWith('subdirectory='))].join('#');
}

/** The app's name once it is known, before that the last part of its address. */
export function subjectName(job: Job): string {
  return job.appName ?? job.subject.split(/[\\/]/).filter(Boolean).at(-1) ?? job.subject;
}
