import type { JobQueue } from '../../jobs/job-queue.ts';
import type { Routes } from './serve-operations.ts';

export function jobRoutes(jobs: JobQueue) {
  return {
    listJobs: () => jobs.list(),
    getJob: ({ params }) => jobs.get(params.jobId),
    getJobLog: ({ params }) => jobs.log(params.jobId),
    cancelJob: ({ params }) => jobs.cancel(params.jobId),
  } satisfies Partial<Routes>;
}
