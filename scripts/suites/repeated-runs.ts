import { nameOfFailed } from './failed-test.ts';
import type { SuiteResult } from './suite-result.ts';

/** A test that failed in at least one of several runs of the same suites. */
export interface UnsteadyTest {
  readonly name: string;
  readonly failedRuns: number;
  readonly runs: number;
  /** The first lines of its first failure. */
  readonly firstError: string;
}

/** @param runs their results in the order of time  @returns the tests that failed, those that failed most often first */
export function unsteadyTests(runs: readonly SuiteResult[]): UnsteadyTest[] {
  const found = new Map<string, UnsteadyTest>();
  for (const { failures = [] } of runs) {
    for (const failure of new Map(failures.map((text) => [nameOfFailed(text), text])).values()) {
      const name = nameOfFailed(failure);
      const earlier = found.get(name);
      const firstError = earlier?.firstError ?? failure.slice(name.length).trim();
      found.set(name, { name, failedRuns: (earlier?.failedRuns ?? 0) + 1, runs: runs.length, firstError });
    }
  }
  return [...found.values()].sort((a, b) => b.failedRuns - a.failedRuns);
}
