import type { FileFigures } from './measured-file.ts';

/** What became of the tests of a suite. */
export interface SuiteResult {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** The failed tests with their reasons, see `failedTest`, where the suite's report gives them. */
  readonly failures?: readonly string[];
  /** The tests that failed and passed when they were repeated, with the first reason: counted as passed. */
  readonly flaky?: readonly string[];
  /** The failures of quarantined tests, which are neither among the failed nor the passed ones. */
  readonly quarantined?: number;
  /** What each test file took, where the suite's program tells it. */
  readonly files?: readonly FileFigures[];
}
