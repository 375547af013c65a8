import type { Router } from 'express';
import type { JobQueue } from '../jobs/job-queue.ts';
import { serve } from './serve.ts';

export function jobsRoutes(router: Router, jobs: JobQueue): void {
  serve(router, 'listJobs', () => jobs.list());
  serve(router, 'getJob', ({ params }) => jobs.get(params.jobId));
  serve(router, 'getJobLog', ({ params }) => jobs.log(params.jobId));
  serve(router, 'cancelJob', ({ params }) => jobs.cancel(params.jobId));
}
