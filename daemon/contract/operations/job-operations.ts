import * as z from 'zod';
import { Job, JobLog } from '../jobs.ts';
import { at, type Operation, refused } from './operation.ts';

const jobId = z.object({ jobId: z.string().max(64) });
const noSuchJob = { 404: refused('No such job') };

export const jobOperations = {
  listJobs: {
    ...at('GET /api/jobs', z.array(Job)),
    summary: 'Jobs, newest first',
  },
  getJob: {
    ...at('GET /api/jobs/{jobId}', Job),
    summary: 'One job',
    params: jobId,
    refusals: noSuchJob,
  },
  getJobLog: {
    ...at('GET /api/jobs/{jobId}/log', JobLog),
    summary: 'The log of a job',
    params: jobId,
    refusals: noSuchJob,
  },
  cancelJob: {
    ...at('POST /api/jobs/{jobId}/cancel', Job),
    summary: 'Cancel a job; an ended one stays unchanged',
    params: jobId,
    refusals: noSuchJob,
  },
} as const satisfies Record<string, Operation>;
