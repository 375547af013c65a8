import type { UnmetNeed } from '../contract/apps/needs.ts';
import type { Issue } from '../contract/common/common.ts';

/** The parts of a refusal for programs; only some refusals have them. */
export interface RefusalDetails {
  /** A stable code, like `disk-full` or one of `NeedProblem`. */
  readonly code?: string | undefined;
  /** The need of an app that keeps it from starting. */
  readonly unmet?: UnmetNeed | undefined;
}

/** A failed call of the daemon; the message is a sentence for a person. */
export class DaemonError extends Error {
  /** The HTTP status; null: no reply. */
  readonly status: number | null;
  readonly issues: readonly Issue[];
  readonly code: string | null;
  readonly unmet: UnmetNeed | null;

  constructor(
    status: number | null,
    message: string,
    issues: readonly Issue[] = [],
    cause?: unknown,
    { code, unmet }: RefusalDetails = {},
  ) {
    super(message, { cause });
    this.name = 'DaemonError';
    this.status = status;
    this.issues = issues;
    this.code = code ?? null;
    this.unmet = unmet ?? null;
  }
}
