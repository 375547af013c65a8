import * as z from 'zod';
import { Job, JobLog } from '../jobs.ts';
import { at, badPath, type Operation, refused } from './operation.ts';

const jobId = z.object({ jobId: z.string().max(64) });
const noSuchJob = { 400: badPath, 404: refused('No such job') };

export const jobOperations = {
  listJobs: {
    ...at('GET /api/jobs'),
    summary: 'Jobs, newest first',
    success: { status: 200, schema: z.array(Job) },
  },
  getJob: {
    ...at('GET /api/jobs/{jobId}'),
    summary: 'One job',
    params: jobId,
    success: { status: 200, schema: Job },
    refusals: noSuchJob,
  },
  getJobLog: {
    ...at('GET /api/jobs/{jobId}/log'),
    summary: 'The log of a job',
    params: jobId,
    success: { status: 200, schema: JobLog },
    refusals: noSuchJob,
  },
  cancelJob: {
    ...at('POST /api/jobs/{jobId}/cancel'),
    summary: 'Cancel a job; an ended one stays unchanged',
    params: jobId,
    success: { status: 200, schema: Job },
    refusals: noSuchJob,
  },
} as const satisfies Record<string, Operation>;
