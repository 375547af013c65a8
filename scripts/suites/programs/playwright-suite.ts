import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { prepareChromium, prepareHeadlessChromium } from '../../environment/chromium.ts';
import { electronForTests } from '../../environment/electron-for-tests.ts';
import { prepareScreen } from '../../environment/virtual-screen.ts';
import { failedTest } from '../failed-test.ts';
import type { SuiteResult } from '../suite-result.ts';
import type { RunProgram, Suite } from '../suites.ts';
import { reportFolder } from './report-folder.ts';

interface ReportedSuite {
  readonly suites?: readonly ReportedSuite[];
  readonly specs: readonly {
    readonly title: string;
    readonly file: string;
    readonly tests: readonly {
      readonly status: 'expected' | 'unexpected' | 'flaky' | 'skipped';
      readonly results: readonly { readonly errors: readonly { readonly message?: string }[] }[];
    }[];
  }[];
}

interface PlaywrightReport {
  readonly suites: readonly ReportedSuite[];
  /** Those of no test: of the preparation, or of what a worker leaves. */
  readonly errors: readonly { readonly message?: string }[];
  readonly stats: {
    readonly expected: number;
    readonly unexpected: number;
    readonly flaky: number;
    readonly skipped: number;
  };
}

/** The journeys in a real browser. @param args options of Playwright, and parts of the paths that it is restricted to */
export function browserSuite(args: readonly string[] = [], env: NodeJS.ProcessEnv = {}): Suite {
  return { name: 'journeys in a browser', run: (run) => runProject(run, 'web', args, env) };
}

/**
 * The desktop program, on Electron if its binary can run, else on the stand-in; the name says which.
 * @param args as of `browserSuite`
 */
export function windowSuite(args: readonly string[] = [], more: NodeJS.ProcessEnv = {}): Suite {
  const { name, env } = electronForTests();
  return {
    name: `the window, on ${name}`,
    run: async (run) => {
      const screen = await prepareScreen();
      console.log(`The window is tested on ${name}, ${screen.description}.`);
      if (name !== 'Electron')
        console.warn('NOT TESTED on Electron itself: its binary is not installed, or cannot run on this machine.');
      try {
        return await runProject(run, 'electron', args, { ...env, ...screen.env, ...more });
      } finally {
        screen.close();
      }
    },
  };
}

async function runProject(
  run: RunProgram,
  project: 'web' | 'electron',
  args: readonly string[],
  more: NodeJS.ProcessEnv,
): Promise<SuiteResult> {
  const chromium = await (project === 'web' ? prepareHeadlessChromium() : prepareChromium());
  using folder = reportFolder();
  const file = join(folder.path, 'report.json');
  const env = { ...more, PLAYWRIGHT_JSON_OUTPUT_FILE: file, ...(chromium ? { CHROMIUM_PATH: chromium } : {}) };
  // A run empties its folder first: the other project's screenshots and traces stay.
  const options = [`--project=${project}`, '--reporter=list,json', `--output=test-results/${project}`];
  const code = await run('playwright', ['test', ...args, ...options], env);
  const { stats, suites, errors } = JSON.parse(await readFile(file, 'utf8')) as PlaywrightReport;
  const failed = stats.unexpected + errors.length;
  return {
    passed: stats.expected + stats.flaky,
    failed: failed === 0 && code !== 0 ? 1 : failed,
    skipped: stats.skipped,
    failures: [
      ...suites.flatMap((suite) => testsWith('unexpected', suite)),
      ...errors.map(({ message }) => failedTest('beside the tests', message)),
    ],
    flaky: suites.flatMap((suite) => testsWith('flaky', suite)),
  };
}

function testsWith(status: 'unexpected' | 'flaky', { specs, suites = [] }: ReportedSuite): string[] {
  const own = specs.flatMap(({ file, title, tests }) =>
    tests
      .filter((test) => test.status === status)
      .map(({ results }) => failedTest(`${file} › ${title}`, results.flatMap(({ errors }) => errors)[0]?.message)),
  );
  return [...own, ...suites.flatMap((suite) => testsWith(status, suite))];
}
