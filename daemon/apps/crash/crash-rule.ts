import type { CrashCause } from '../../contract/apps/diagnosis.ts';

/**
 * How one kind of crash is known. `{name}` in a text is that group of `sign`, or `{sdk}` (the SDK's version), `{package}`
 * (what to install for the group `module`), `{at}` (the innermost place of the traceback), `{own}` (that in the app's
 * own code).
 */
export interface CrashRule {
  readonly cause: CrashCause;
  /** In a line of what the exception says; without an exception, in one of the last lines. */
  readonly sign: RegExp;
  /** In another line that must be there: of the same traceback, or shortly before it. */
  readonly beside?: RegExp;
  /** The group `module` must be the app's own package, or a part of it. */
  readonly ownModule?: true;
  readonly message: string;
  readonly action: string;
}
