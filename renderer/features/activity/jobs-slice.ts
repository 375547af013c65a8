import type { DaemonEvent } from '../../../daemon/contract/events.ts';
import type { Job, JobLog } from '../../../daemon/contract/jobs.ts';
import type { DaemonClient } from '../../api/daemon-client.ts';
import { asDaemonError, type DaemonError } from '../../api/daemon-error.ts';
import { type SetState, without } from '../../store/slice.ts';
import { loadDismissedJobs, saveDismissedJobs } from './dismissed-jobs.ts';

/** The whole log of a job, fetched on demand. */
export type LoadedLog =
  | { readonly state: 'loading' }
  | { readonly state: 'loaded'; readonly log: JobLog }
  | { readonly state: 'failed'; readonly error: DaemonError };

export interface JobsSlice {
  /** Newest first. */
  readonly jobs: readonly Job[];
  /** Why a cancel was refused, by job id. */
  readonly cancelRefusals: Readonly<Record<string, DaemonError>>;
  readonly jobLogs: Readonly<Record<string, LoadedLog>>;
  /** Failed jobs that the user has read and put away. */
  readonly dismissedJobs: readonly string[];
  readonly cancelJob: (jobId: string) => Promise<void>;
  readonly loadJobLog: (jobId: string) => Promise<void>;
  readonly hideJobLog: (jobId: string) => void;
  readonly dismissJob: (jobId: string) => void;
}

export function createJobsSlice(set: SetState<JobsSlice>, daemon: DaemonClient): JobsSlice {
  const setLog = (jobId: string, loaded: LoadedLog) =>
    set(({ jobLogs }) => ({ jobLogs: { ...jobLogs, [jobId]: loaded } }));
  return {
    jobs: [],
    cancelRefusals: {},
    jobLogs: {},
    dismissedJobs: loadDismissedJobs(),
    async cancelJob(jobId) {
      set(({ cancelRefusals }) => ({ cancelRefusals: without(cancelRefusals, jobId) }));
      try {
        await daemon.call('cancelJob', { params: { jobId } });
      } catch (error) {
        set(({ cancelRefusals }) => ({ cancelRefusals: { ...cancelRefusals, [jobId]: asDaemonError(error) } }));
      }
    },
    async loadJobLog(jobId) {
      setLog(jobId, { state: 'loading' });
      try {
        setLog(jobId, { state: 'loaded', log: await daemon.call('getJobLog', { params: { jobId } }) });
      } catch (error) {
        setLog(jobId, { state: 'failed', error: asDaemonError(error) });
      }
    },
    hideJobLog: (jobId) => set(({ jobLogs }) => ({ jobLogs: without(jobLogs, jobId) })),
    dismissJob: (jobId) =>
      set(({ dismissedJobs }) => ({ dismissedJobs: saveDismissedJobs([...dismissedJobs, jobId]) })),
  };
}

export function jobsAfter({ jobs }: JobsSlice, event: DaemonEvent): Partial<JobsSlice> {
  if (event.type === 'snapshot') return { jobs: newestFirst(event.snapshot.jobs) };
  if (event.type !== 'job.changed') return {};
  const { job } = event;
  const known = jobs.some(({ id }) => id === job.id);
  return { jobs: known ? jobs.map((each) => (each.id === job.id ? job : each)) : newestFirst([job, ...jobs]) };
}

function newestFirst(jobs: readonly Job[]): readonly Job[] {
  return jobs.toSorted((a, b) => b.createdAt.localeCompare(a.createdAt));
}
