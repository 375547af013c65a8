import type { Job } from '../../../daemon/contract/jobs.ts';
import { type AttentionSlice, withKeys } from '../base/attention-slice.ts';
import type { SendCommand } from '../base/commands.ts';
import type { GetState, Reducers } from '../base/slice.ts';

interface JobsState {
  /** Newest first. */
  readonly jobs: readonly Job[];
}

/** Names the question for the result of the last check of the installation. */
export const installationCheckKey = ['installation-check'];

export type JobsSlice = ReturnType<typeof createJobsSlice>;

export function createJobsSlice(get: GetState<JobsState>, send: SendCommand) {
  const cancelJob = (jobId: string) => send(`cancel ${jobId}`, (call) => call('cancelJob', { params: { jobId } }));
  const initial: JobsState = { jobs: [] };
  return {
    ...initial,
    cancelJob,
    /** Checks the installation by a job, which events report. */
    checkInstallation: () => send('doctor', (call) => call('checkInstallation'), 'check'),
    /** Cancels what runs and what waits. */
    cancelAllJobs: async () => {
      const idsOf = (state: Job['state']) => get().jobs.flatMap((job) => (job.state === state ? [job.id] : []));
      // The place of a job that ends goes to one that waits: those first.
      await Promise.all(idsOf('queued').map(cancelJob));
      await Promise.all(idsOf('running').map(cancelJob));
    },
  };
}

export const jobsReducers: Reducers<JobsState & Pick<AttentionSlice, 'dismissed'>> = {
  snapshot: (_, { snapshot }) => ({ jobs: newestFirst(snapshot.jobs) }),
  'job.changed': ({ jobs }, { job }) => {
    const known = jobs.some(({ id }) => id === job.id);
    return { jobs: known ? jobs.map((each) => (each.id === job.id ? job : each)) : newestFirst([job, ...jobs]) };
  },
  'hub-account.changed': ({ jobs, dismissed }, { hubAccount: { name, hub } }) => {
    if (name === null) return {};
    const outdated = jobs.filter((job) => failedSignedOut(job, hub)).map(({ id }) => id);
    return { dismissed: withKeys('dismissed', dismissed, outdated) };
  },
};

/** Whether the job failed because nobody was signed in to the hub, so that it may work now. */
function failedSignedOut({ subject, failure }: Job, hub: string): boolean {
  return subject.startsWith(`${hub}/`) && (failure?.reason === 'not-found' || failure?.reason === 'auth');
}

function newestFirst(jobs: readonly Job[]): readonly Job[] {
  return jobs.toSorted((a, b) => b.createdAt.localeCompare(a.createdAt));
}
