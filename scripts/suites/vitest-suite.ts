import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { projectDir } from '../environment/project.ts';
import { failedTest } from './failed-test.ts';
import type { Suite } from './suites.ts';

interface VitestReport {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly message: string;
    readonly assertionResults: readonly {
      readonly fullName: string;
      readonly status: string;
      readonly failureMessages: readonly string[];
    }[];
  }[];
}

/** The failed tests of a file, or the file alone when it could not be loaded. */
function failedTests({ name, message, assertionResults }: VitestReport['testResults'][number]): string[] {
  const file = relative(projectDir, name);
  const failed = assertionResults.filter(({ status }) => status === 'failed');
  if (failed.length === 0) return [failedTest(file, message)];
  return failed.map(({ fullName, failureMessages }) => failedTest(`${file} › ${fullName}`, failureMessages[0]));
}

/** A project of vitest.config.ts. @param args options of vitest, and parts of the paths that it is restricted to */
export function vitestSuite(project: string, args: readonly string[] = [], env: NodeJS.ProcessEnv = {}): Suite {
  return {
    name: project,
    run: async (run) => {
      const folder = await mkdtemp(join(tmpdir(), 'robot-desktop-report-'));
      const file = join(folder, 'report.json');
      try {
        const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
        const code = await run('vitest', ['run', '--project', project, ...args, ...reporters], env);
        const report = JSON.parse(await readFile(file, 'utf8')) as VitestReport;
        const failed = report.numFailedTests;
        return {
          passed: report.numPassedTests,
          // A file that cannot be loaded fails the run without a failed test.
          failed: failed === 0 && code !== 0 ? 1 : failed,
          skipped: report.numPendingTests,
          failures: report.testResults.filter(({ status }) => status === 'failed').flatMap(failedTests),
        };
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    },
  };
}
