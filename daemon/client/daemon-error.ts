import type { Issue } from '../contract/common/common.ts';

/** A failed call of the daemon; the message is a sentence for a person. */
export class DaemonError extends Error {
  /** The HTTP status; null: no reply. */
  readonly status: number | null;
  /** The issues of the request. */
  readonly issues: readonly Issue[];

  constructor(status: number | null, message: string, issues: readonly Issue[] = [], cause?: unknown) {
    super(message, { cause });
    this.name = 'DaemonError';
    this.status = status;
    this.issues = issues;
  }
}
