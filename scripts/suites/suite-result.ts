import type { FileFigures } from './measured-file.ts';

/** The result of a suite: the counts of its tests, and the names of those that did not simply pass. */
export interface SuiteResult {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** The failed tests with their reasons, see `failedTest`, where the suite's report gives them. */
  readonly failures?: readonly string[];
  /** The tests that failed and passed when they were repeated, with the first reason: counted as passed. */
  readonly flaky?: readonly string[];
  /** The names of the skipped tests, which contain the reason, where the suite's report gives them. */
  readonly skips?: readonly string[];
  /** The failures of quarantined tests, which are neither among the failed nor the passed ones. */
  readonly quarantined?: number;
  /** The cost of each test file, where the suite's program tells it. */
  readonly files?: readonly FileFigures[];
}
