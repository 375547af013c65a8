import type { InstalledApp } from '../../../daemon/contract/apps/apps.ts';
import { sourceText } from '../../../daemon/contract/apps/source-text.ts';
import type { Job } from '../../../daemon/contract/jobs.ts';
import { type KnownApps, titleOf } from '../../slices/apps/apps-slice.ts';
import { type OwnAppsSlice, ownAppOfJob } from '../../slices/apps/own-apps-slice.ts';

/** Identifies the app of an install or update by name, by source address, or both. */
interface InstallSubject {
  readonly name?: string;
  readonly address?: string;
}

export const isActive = (job: Job): boolean => job.state === 'queued' || job.state === 'running';

/** Whether a job installs or updates an app: others install programs that serve models, check apps or publish them. */
export const isAppJob = ({ kind }: Job): boolean => kind === 'install-app' || kind === 'update-app';

/** Finds the newest install or update of that app. `jobs` are newest first. */
export function latestInstall(jobs: readonly Job[], { name, address }: InstallSubject): Job | undefined {
  return jobs.find(
    (job) =>
      isAppJob(job) &&
      ((name !== undefined && job.appName === name) || (address !== undefined && job.subject === address)),
  );
}

export interface FailureSources {
  readonly jobs: readonly Job[];
  readonly dismissed: readonly string[];
  readonly installedApps: readonly InstalledApp[];
}

/** Lists failed jobs that are not dismissed and not followed by a later one of the same app. */
export function openFailures({ jobs, dismissed, installedApps }: FailureSources): readonly Job[] {
  return jobs.filter((job, index) => {
    if (job.state !== 'failed' || dismissed.includes(job.id)) return false;
    if (jobs.slice(0, index).some((later) => isSameApp(later, job))) return false;
    return !installedApps.some((app) => isAbout(job, app) && app.installedAt > (job.endedAt ?? job.createdAt));
  });
}

/** The same for one app: its newest job, if that is such a failure. Cheap, since every card of hundreds asks for it. */
export function openFailureOf(
  { jobs, dismissed }: Pick<FailureSources, 'jobs' | 'dismissed'>,
  app: InstalledApp,
): Job | undefined {
  const job = jobs.find((each) => isAbout(each, app));
  const isOpen = job?.state === 'failed' && !dismissed.includes(job.id);
  return isOpen && app.installedAt <= (job.endedAt ?? job.createdAt) ? job : undefined;
}

/** Whether the job installs or updates that app: compares names, or sources while the job has no app name. */
export function isAbout(job: Job, { name, source }: InstalledApp): boolean {
  if (!isAppJob(job)) return false;
  return job.appName === null
    ? withoutRevision(job.subject) === withoutRevision(sourceText(source))
    : job.appName === name;
}

function isSameApp(one: Job, other: Job): boolean {
  if (one.kind !== other.kind && !(isAppJob(one) && isAppJob(other))) return false;
  if (one.appName !== null && one.appName === other.appName) return true;
  return withoutRevision(one.subject) === withoutRevision(other.subject);
}

/** Strips the branch, tag or commit from an address; keeps its subdirectory. */
function withoutRevision(address: string): string {
  const [base = '', fragment = ''] = address.split('#');
  return [base, ...fragment.split('&').filter((part) => part.startsWith('subdirectory='))].join('#');
}

/** The apps by whose titles people know the subjects of jobs. */
export type KnownSubjects = KnownApps & Pick<OwnAppsSlice, 'ownApps'>;

/** The title of the app that a job is about, as far as it is known, else its name. */
export const subjectTitle = (job: Job, known: KnownSubjects): string =>
  ownAppOfJob(known.ownApps, job)?.title ?? titleOf(known, subjectName(job));

/** The app's name if known, else the last part of its address, as people write it. */
export function subjectName(job: Job): string {
  return job.appName ?? readable(job.subject.split(/[\\/]/).filter(Boolean).at(-1) ?? job.subject);
}

function readable(part: string): string {
  try {
    const decoded = decodeURIComponent(part);
    return /\p{C}/u.test(decoded) ? part : decoded; // a character that nobody sees, or that turns the text around
  } catch {
    return part; // a percent sign that encodes nothing
  }
}
