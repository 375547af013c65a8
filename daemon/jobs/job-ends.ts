import type { Job, JobFailure, JobStep } from '../contract/jobs.ts';
import { JobFailed } from './errors.ts';

/** Of a job whose daemon ended before it did. */
export const interrupted: JobFailure = {
  reason: 'interrupted',
  message: 'The daemon ended before this was done. What was installed before is whole.',
  action: 'Start it again.',
  evidence: [],
};

/** Why a job failed: what its work said, or that it is our bug. @param log all that the job has written */
export function failureOf(error: unknown, log: readonly string[]): JobFailure {
  if (error instanceof JobFailed) return error.failure;
  return {
    reason: 'internal',
    message: `Something broke that should not: ${(error as Error).message}`,
    action: 'Try again. If it happens again, report it with the log.',
    evidence: log.slice(-12),
  };
}

/** The job with the step that is under way in another state. */
export function withCurrentStep(job: Job, state: JobStep['state']): Job {
  return { ...job, steps: job.steps.map((step) => (step.state === 'running' ? { ...step, state } : step)) };
}
