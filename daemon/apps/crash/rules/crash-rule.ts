import type { CrashCause } from '../../../contract/apps/diagnosis.ts';

/**
 * Recognizes one kind of crash. A placeholder in a text is a named group of `sign`, or `{sdk}` (the SDK's version),
 * `{package}` (the package that provides the group `module`), `{at}` (the innermost frame of the traceback), `{own}`
 * (the innermost frame in the app's own code), `{owner}` and `{version}` (of the installed package that lacks `module`).
 */
export interface CrashRule {
  readonly cause: CrashCause;
  /** Matches a line of the exception's message; without an exception, one of the last lines. */
  readonly sign: RegExp;
  /** Another line must match this: in the same traceback, or shortly before it. */
  readonly nearby?: RegExp;
  /** Requires the group `module` to be the app's own package or a part of it. */
  readonly ownModule?: true;
  /** Requires that an installed package lacks the group `module`. */
  readonly lacking?: true;
  readonly message: string;
  readonly action: string;
}
