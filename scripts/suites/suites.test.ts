import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { projectDir } from '../environment/project.ts';
import type { SuiteResult } from './suite-result.ts';
import { runSuites, type Suite } from './suites.ts';

/** Of its own: the run of this test writes another one. */
const FIGURES = 'figures-of-a-test';

async function printedOf(suites: readonly (Suite | readonly Suite[])[]): Promise<string[]> {
  const printed: string[] = [];
  const log = vi.spyOn(console, 'log').mockImplementation((line: string) => void printed.push(line));
  const error = vi.spyOn(console, 'error').mockImplementation(() => {});
  try {
    await runSuites(suites, FIGURES);
  } finally {
    log.mockRestore();
    error.mockRestore();
    await rm(join(projectDir, 'test-results', `${FIGURES}.json`));
  }
  return printed;
}

test('the names of the skipped and the failed tests stand above the totals', async () => {
  const suite = (name: string, result: SuiteResult) => ({ name, run: async () => result });
  const printed = await printedOf([
    suite('unit', { passed: 2, failed: 0, skipped: 1, skips: ['a.test.ts › a file (root may read all)'] }),
    [suite('journeys', { passed: 1, failed: 1, skipped: 0, failures: ['robot.spec.ts › the robot wakes'] })],
  ]);
  const [skips, failures, totals] = printed.slice(-3);
  expect(skips).toBe('\nSkipped:\nunit: a.test.ts › a file (root may read all)');
  expect(failures).toBe('\nFailed:\njourneys: robot.spec.ts › the robot wakes');
  expect(totals).toMatch(/\n\n3 passed, 1 failed, 1 skipped$/);
});

test('a suite that throws is a failure with its name and the reason', async () => {
  const run = () => Promise.reject(new Error('no report was written'));
  const printed = await printedOf([{ name: 'unit', run }]);
  expect(printed.at(-2)).toBe('\nFailed:\nunit: ended without a result\n    no report was written');
});
