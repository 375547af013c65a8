import type { JobFailure } from '../contract/jobs.ts';
import { DomainError, NotFound } from '../shared/domain-error.ts';
import { type StorageError, storageErrorBehind } from '../shared/files/storage-errors.ts';

export class JobNotFound extends NotFound {
  constructor(id: string) {
    super(`There is no job "${id}".`);
  }
}

export class TooManyJobs extends DomainError {
  constructor(waiting: number) {
    super(`${waiting} jobs are already waiting. Cancel some, or wait for them.`);
  }
}

/** Ends a job as failed, with the reason and the action for people. */
export class JobFailed extends DomainError {
  readonly failure: JobFailure;
  constructor(failure: Omit<JobFailure, 'evidence'> & { evidence?: readonly string[] }) {
    const { reason, message, action, evidence = [], apps, pythonDownload } = failure;
    super(message);
    this.failure = {
      ...{ reason, message, action, evidence: evidence.slice(-12) },
      ...(apps && { apps }),
      ...(pythonDownload !== undefined && { pythonDownload }),
    };
  }
}

/** The end of a job whose files cannot be written. @param evidence the lines of the log that show it */
export function storageFailed({ code, message, action }: StorageError, evidence: readonly string[] = []): JobFailed {
  return new JobFailed({ reason: code, message, action, evidence });
}

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
