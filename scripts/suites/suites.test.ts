import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { projectDir } from '../environment/project.ts';
import type { SuiteResult } from './suite-result.ts';
import { runSuites } from './suites.ts';

/** Of its own: the run of this test writes another one. */
const FIGURES = 'figures-of-a-test';

test('the names of the skipped and the failed tests stand above the totals', async () => {
  const printed: string[] = [];
  const log = vi.spyOn(console, 'log').mockImplementation((line: string) => void printed.push(line));
  const suite = (name: string, result: SuiteResult) => ({ name, run: async () => result });
  try {
    await runSuites(
      [
        suite('unit', { passed: 2, failed: 0, skipped: 1, skips: ['a.test.ts › a file (root may read all)'] }),
        [suite('journeys', { passed: 1, failed: 1, skipped: 0, failures: ['robot.spec.ts › the robot wakes'] })],
      ],
      FIGURES,
    );
  } finally {
    log.mockRestore();
    await rm(join(projectDir, 'test-results', `${FIGURES}.json`));
  }
  const [skips, failures, totals] = printed.slice(-3);
  expect(skips).toBe('\nSkipped:\nunit: a.test.ts › a file (root may read all)');
  expect(failures).toBe('\nFailed:\njourneys: robot.spec.ts › the robot wakes');
  expect(totals).toMatch(/\n\n3 passed, 1 failed, 1 skipped$/);
});
