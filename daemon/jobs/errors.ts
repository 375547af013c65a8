import type { JobFailure } from '../contract/jobs.ts';
import { DomainError } from '../shared/domain-error.ts';
import type { StorageError } from '../shared/files/storage-errors.ts';

export class JobNotFound extends DomainError {
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
