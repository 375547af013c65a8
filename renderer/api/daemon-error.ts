import type { Issue } from '../../daemon/contract/common.ts';

/** Why a command failed, in a sentence for a person. */
export class DaemonError extends Error {
  /** The HTTP status; null when no answer came. */
  readonly status: number | null;
  /** What is wrong with which part of the request. */
  readonly issues: readonly Issue[];

  constructor(status: number | null, message: string, issues: readonly Issue[] = [], cause?: unknown) {
    super(message, { cause });
    this.name = 'DaemonError';
    this.status = status;
    this.issues = issues;
  }
}

/** What a `catch` got, as a sentence: anything that is not a DaemonError is a bug of this page. */
export function asDaemonError(error: unknown): DaemonError {
  if (error instanceof DaemonError) return error;
  const detail = error instanceof Error ? error.message : String(error);
  return new DaemonError(null, `This page failed: ${detail}. Reload it.`, [], error);
}
