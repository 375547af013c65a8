import type { WorkStep } from '../contract/common/progress.ts';
import type { Job, JobFailure } from '../contract/jobs.ts';
import { storageErrorBehind } from '../shared/files/storage-errors.ts';
import { JobFailed, storageFailed } from './errors.ts';

/** The failure of a job whose daemon stopped before it was done. */
export const interrupted: JobFailure = {
  reason: 'interrupted',
  message: 'The daemon stopped before this was done. Installed apps are intact.',
  action: 'Start it again.',
  evidence: [],
};

/** The failure of a job with a known cause; null: the error is a bug. */
export function knownFailure(error: unknown, dataDir: string): JobFailure | null {
  if (error instanceof JobFailed) return error.failure;
  const storage = storageErrorBehind(error, dataDir);
  return storage && storageFailed(storage).failure;
}

/** The failure of a job for an error that is a bug. @param log the log of the job */
export function unexpectedFailure(error: unknown, log: readonly string[]): JobFailure {
  return {
    reason: 'internal',
    message: `An unexpected error occurred: ${(error as Error).message}`,
    action: 'Try again. If it happens again, report it with the log.',
    evidence: log.slice(-12),
  };
}

/** The job with its running step in another state. */
export function withCurrentStep(job: Job, state: WorkStep['state']): Job {
  return { ...job, steps: job.steps.map((step) => (step.state === 'running' ? { ...step, state } : step)) };
}
