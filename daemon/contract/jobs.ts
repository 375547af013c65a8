import * as z from 'zod';
import { Timestamp } from './common/common.ts';

export const JobStepState = z.enum(['pending', 'running', 'done', 'failed', 'cancelled']);

/** A step of a job. All steps are listed from the start. */
export const JobStep = z.object({ name: z.string(), title: z.string(), state: JobStepState }).meta({ id: 'JobStep' });
export type JobStep = z.infer<typeof JobStep>;

/** Why a job failed, for a person. */
export const JobFailure = z
  .object({
    /** A stable code for programs. */
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
    /** The failure and its likely cause. */
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

/** The progress of a download. */
export const Transfer = z
  .object({
    doneBytes: z.int(),
    totalBytes: z.int().nullable(),
    /** The average over the last seconds; 0 while nothing arrives. */
    bytesPerSecond: z.int(),
    /** Whether nothing has arrived for some seconds; after 30 s the download fails. */
    stalled: z.boolean(),
  })
  .meta({ id: 'Transfer' });
export type Transfer = z.infer<typeof Transfer>;

/** A long task. It ends as done, failed or cancelled. */
export const Job = z
  .object({
    id: z.string(),
    kind: z.enum(['install-app', 'update-app']),
    /** Its subject: an address, and the app's name once known. */
    subject: z.string(),
    appName: z.string().nullable(),
    state: JobState,
    steps: z.array(JobStep),
    /** The current activity, in one sentence. */
    detail: z.string().nullable(),
    /** The current download; null: none. */
    transfer: Transfer.nullable().default(null),
    /** Whether a cancel is under way. */
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
