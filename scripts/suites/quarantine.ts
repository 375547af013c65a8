import { nameOfFailed } from './failed-test.ts';
import type { SuiteResult } from './suite-result.ts';

/** A flaky test that cannot be repaired at once. It still runs; its failures are counted apart, and it stops a release. */
export interface QuarantinedTest {
  /** Its name as in the list at the end of a run, with the name of its suite or without it: `unit: file › title`. */
  readonly test: string;
  readonly cause: string;
  /** The day since when it is here, `2026-11-27`. */
  readonly since: string;
}

/** At most five. */
export const quarantine: readonly QuarantinedTest[] = [];

/** Takes the failures of quarantined tests out of a result. */
export function withoutQuarantined(result: SuiteResult, entries = quarantine): SuiteResult {
  const all = result.failures ?? [];
  const kept = all.filter((failure) => !entries.some(({ test }) => `: ${test}`.endsWith(`: ${nameOfFailed(failure)}`)));
  const apart = all.length - kept.length;
  return apart === 0 ? result : { ...result, failed: result.failed - apart, quarantined: apart, failures: kept };
}
