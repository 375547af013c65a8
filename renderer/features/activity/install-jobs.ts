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

/** Installs that failed, were not put away, and that no later install of the same thing has made good. */
export function openFailures(jobs: readonly Job[], dismissed: readonly string[]): readonly Job[] {
  return jobs.filter((job, index) => {
    if (job.state !== 'failed' || dismissed.includes(job.id)) return false;
    const subject = { address: job.subject, ...(job.appName === null ? {} : { name: job.appName }) };
    return latestInstall(jobs.slice(0, index), subject) === undefined;
  });
}

/** The app's name once it is known, before that the last part of its address. */
export function subjectName(job: Job): string {
  return job.appName ?? job.subject.split(/[\\/]/).filter(Boolean).at(-1) ?? job.subject;
}
