import { expect, test, vi } from 'vitest';
import type { SuiteResult } from './suite-result.ts';
import { runSuites } from './suites.ts';

test('the names of the failed tests stand above the totals', async () => {
  const printed: string[] = [];
  const log = vi.spyOn(console, 'log').mockImplementation((line: string) => void printed.push(line));
  const suite = (name: string, result: SuiteResult) => ({ name, run: async () => result });
  try {
    await runSuites([
      suite('unit', { passed: 2, failed: 0, skipped: 0, failures: [] }),
      [suite('journeys', { passed: 1, failed: 1, skipped: 0, failures: ['robot.spec.ts › the robot wakes'] })],
    ]);
  } finally {
    log.mockRestore();
  }
  const [failures, totals] = printed.slice(-2);
  expect(failures).toBe('\nFailed:\njourneys: robot.spec.ts › the robot wakes');
  expect(totals).toMatch(/\n\n3 passed, 1 failed$/);
});
