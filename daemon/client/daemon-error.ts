import type { Issue } from '../contract/common/common.ts';

/** Why a call of the daemon failed, in a sentence for a person. */
export class DaemonError extends Error {
  /** The HTTP status; null when no answer came. */
  readonly status: number | null;
  /** The parts of the request that are wrong, and how. */
  readonly issues: readonly Issue[];

  constructor(status: number | null, message: string, issues: readonly Issue[] = [], cause?: unknown) {
    super(message, { cause });
    this.name = 'DaemonError';
    this.status = status;
    this.issues = issues;
  }
}
