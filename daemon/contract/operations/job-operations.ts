import * as z from 'zod';
import { Job, JobLog } from '../jobs.ts';
import { badPath, type Operation, refused } from './operation.ts';

const jobId = z.object({ jobId: z.string().max(64) });
const noSuchJob = { 400: badPath, 404: refused('No such job') };

export const jobOperations = {
  listJobs: {
    method: 'GET',
    path: '/api/jobs',
    summary: 'Jobs, newest first',
    success: { status: 200, schema: z.array(Job) },
  },
  getJob: {
    method: 'GET',
    path: '/api/jobs/{jobId}',
    summary: 'One job',
    params: jobId,
    success: { status: 200, schema: Job },
    refusals: noSuchJob,
  },
  getJobLog: {
    method: 'GET',
    path: '/api/jobs/{jobId}/log',
    summary: 'The log of a job',
    params: jobId,
    success: { status: 200, schema: JobLog },
    refusals: noSuchJob,
  },
  cancelJob: {
    method: 'POST',
    path: '/api/jobs/{jobId}/cancel',
    summary: 'Cancel a job; an ended one stays unchanged',
    params: jobId,
    success: { status: 200, schema: Job },
    refusals: noSuchJob,
  },
} as const satisfies Record<string, Operation>;
