import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SuiteResult } from '../suite-result.ts';
import type { Suite } from '../suites.ts';
import { reportFolder } from './report-folder.ts';

/** A project of vitest.config.ts. @param args options of vitest, and parts of the paths that it is restricted to */
export function vitestSuite(project: string, args: readonly string[] = [], env: NodeJS.ProcessEnv = {}): Suite {
  return {
    name: project,
    run: async (run) => {
      using folder = reportFolder();
      const report = join(folder.path, 'report.json');
      const reporters = ['--reporter=default', '--reporter=./scripts/suites/programs/vitest-report.ts'];
      const code = await run('vitest', ['run', '--project', project, ...args, ...reporters], {
        ...env,
        TEST_REPORT: report,
      });
      const result = JSON.parse(await readFile(report, 'utf8')) as SuiteResult;
      if (result.failed > 0 || code === 0) return result;
      return { ...result, failed: 1, failures: [`vitest ended with the code ${code}`] };
    },
  };
}
