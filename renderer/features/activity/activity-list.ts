import type { Job } from '../../../daemon/contract/jobs.ts';
import { isActive } from './install-jobs.ts';

export const jobFilters = [
  { value: 'all', label: 'All' },
  { value: 'active', label: 'Under way' },
  { value: 'failed', label: 'Failed' },
  { value: 'ended', label: 'Ended' },
] as const;
export type JobFilter = (typeof jobFilters)[number]['value'];

/** Parses the `?show=` of an address. Shows all for an invalid value. */
export const jobFilterOf = (query: string): JobFilter =>
  jobFilters.find(({ value }) => value === new URLSearchParams(query).get('show'))?.value ?? 'all';

const isShown: Readonly<Record<JobFilter, (job: Job) => boolean>> = {
  all: () => true,
  active: isActive,
  failed: ({ state }) => state === 'failed',
  ended: (job) => !isActive(job),
};

/** Ranks what runs first, then what waits, then what has ended. */
const rank = ({ state }: Job): number => (state === 'running' ? 0 : state === 'queued' ? 1 : 2);

/**
 * The jobs to show, in order: running ones, waiting ones with the next to run first, ended ones with the newest first.
 * @param jobs newest first
 */
export function shownJobs(jobs: readonly Job[], filter: JobFilter): readonly Job[] {
  return jobs
    .filter(isShown[filter])
    .toSorted((a, b) => rank(a) - rank(b) || (rank(a) === 2 ? 0 : a.createdAt.localeCompare(b.createdAt)));
}

/** How many jobs start before that one; 0 if it does not wait. */
export function jobsAhead(jobs: readonly Job[], { state, id, createdAt }: Job): number {
  if (state !== 'queued') return 0;
  return jobs.filter(
    (job) => job.id !== id && (job.state === 'running' || (job.state === 'queued' && job.createdAt < createdAt)),
  ).length;
}
