import { expect, test } from 'vitest';
import { unsteadyTests } from './repeated-runs.ts';

const run = (...failures: string[]) => ({ passed: 5, failed: failures.length, skipped: 0, failures });

test('a failed test is counted over all runs, with its first error, the most frequent first', () => {
  const runs = [run(), run('unit: a\n    late', 'unit: b\n    lost'), run('unit: b\n    other'), run('unit: b')];
  expect(unsteadyTests(runs)).toEqual([
    { name: 'unit: b', failedRuns: 3, runs: 4, firstError: 'lost' },
    { name: 'unit: a', failedRuns: 1, runs: 4, firstError: 'late' },
  ]);
});

test('a test that fails twice in one run has failed in one run', () => {
  expect(unsteadyTests([run('unit: a\n    first', 'unit: a\n    second'), run()])).toMatchObject([
    { name: 'unit: a', failedRuns: 1, runs: 2 },
  ]);
});

test('runs in which all tests pass have none', () => {
  expect(unsteadyTests([run(), { passed: 1, failed: 0, skipped: 0 }])).toEqual([]);
});
