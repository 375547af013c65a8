import * as z from 'zod';
import { named, Timestamp } from './common/common.ts';
import { Transfer, WorkStep } from './common/progress.ts';

/** An app that can be installed. */
const FoundApp = named('FoundApp', { name: z.string(), /** The address to install it from. */ address: z.string() });

/** Why a job failed, for a person. */
export const JobFailure = named('JobFailure', {
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
    'data-folder-read-only',
    'sdk-mismatch',
    'dependency-conflict',
    'build',
    'import-error',
    'timeout',
    'checksum',
    'unusable',
    /** A check found problems, which the own app lists. */
    'problems-found',
    /** The Space was changed elsewhere since the last publication. */
    'changed-elsewhere',
    'internal',
  ]),
  /** The failure and its likely cause. */
  message: z.string(),
  /** The one thing to do. */
  action: z.string(),
  /** The lines of the log that show it, at most 12. */
  evidence: z.array(z.string()),
  /** The apps below, where the address is that of a folder or repository without one at its top. */
  apps: z.array(FoundApp).max(50).optional(),
  /** The version of a Python that suits the app, `3.12.4`. A new request may accept its download. */
  pythonDownload: z.string().optional(),
});
export type JobFailure = z.infer<typeof JobFailure>;

const JobState = z.enum(['queued', 'running', 'done', 'failed', 'cancelled']);

/** A long task. It ends as done, failed or cancelled. */
export const Job = named('Job', {
  id: z.string(),
  kind: z.enum(['install-app', 'update-app', 'install-runtime', 'check-app', 'publish-app', 'check-installation']),
  /** Its subject: an address, and the app's name once known. */
  subject: z.string(),
  appName: z.string().nullable(),
  state: JobState,
  steps: z.array(WorkStep),
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
});
export type Job = z.infer<typeof Job>;

export const JobLog = named('JobLog', { lines: z.array(z.string()), truncated: z.boolean() });
export type JobLog = z.infer<typeof JobLog>;
