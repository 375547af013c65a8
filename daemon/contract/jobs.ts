import * as z from 'zod';
import { Timestamp } from './common/common.ts';

export const JobStepState = z.enum(['pending', 'running', 'done', 'failed', 'cancelled']);

/** A named part of a job, shown from the start so that a person sees what is still to come. */
export const JobStep = z.object({ name: z.string(), title: z.string(), state: JobStepState }).meta({ id: 'JobStep' });
export type JobStep = z.infer<typeof JobStep>;

/** Why a job failed, for a person. */
export const JobFailure = z
  .object({
    /** A stable word that programs can rely on. */
    reason: z.enum([
      'interrupted',
      'auth',
      'not-found',
      'not-an-app',
      'name-clash',
      'app-running',
      'pinned',
      'python-missing',
      'network',
      'hub',
      'disk-full',
      'sdk-mismatch',
      'dependency-conflict',
      'build',
      'import-error',
      'timeout',
      'internal',
    ]),
    /** What happened, with the likely cause. */
    message: z.string(),
    /** The one thing to do. */
    action: z.string(),
    /** The lines of the log that show it, at most 12. */
    evidence: z.array(z.string()),
  })
  .meta({ id: 'JobFailure' });
export type JobFailure = z.infer<typeof JobFailure>;

export const JobState = z.enum(['queued', 'running', 'done', 'failed', 'cancelled']);
export type JobState = z.infer<typeof JobState>;

/** How a download is getting on. */
export const Transfer = z
  .object({
    doneBytes: z.int(),
    totalBytes: z.int().nullable(),
    /** Over the last seconds; 0 while nothing arrives. */
    bytesPerSecond: z.int(),
    /** Nothing has arrived for some seconds; after 30 s it is given up. */
    stalled: z.boolean(),
  })
  .meta({ id: 'Transfer' });
export type Transfer = z.infer<typeof Transfer>;

/** One long piece of work. It ends in exactly one of done, failed and cancelled. */
export const Job = z
  .object({
    id: z.string(),
    kind: z.enum(['install-app', 'update-app']),
    /** What it works on: an address, and the app's name once that is known. */
    subject: z.string(),
    appName: z.string().nullable(),
    state: JobState,
    steps: z.array(JobStep),
    /** What it is doing right now, in one sentence. */
    detail: z.string().nullable(),
    /** What it is downloading; null while it does not. */
    transfer: Transfer.nullable().default(null),
    /** A cancel was asked for and is under way. */
    cancelling: z.boolean(),
    failure: JobFailure.nullable(),
    createdAt: Timestamp,
    startedAt: Timestamp.nullable(),
    endedAt: Timestamp.nullable(),
    /** The newest lines of its log, at most 20; `GET /api/jobs/:id/log` has more. */
    logTail: z.array(z.string()),
  })
  .meta({ id: 'Job' });
export type Job = z.infer<typeof Job>;

export const JobLog = z.object({ lines: z.array(z.string()), truncated: z.boolean() }).meta({ id: 'JobLog' });
export type JobLog = z.infer<typeof JobLog>;
