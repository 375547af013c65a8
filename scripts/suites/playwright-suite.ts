import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { prepareChromium, prepareHeadlessChromium } from '../environment/chromium.ts';
import { electronForTests } from '../environment/electron-for-tests.ts';
import { prepareScreen } from '../environment/virtual-screen.ts';
import { failedTest } from './failed-test.ts';
import type { RunProgram, Suite, SuiteResult } from './suites.ts';

interface ReportedSuite {
  readonly suites?: readonly ReportedSuite[];
  readonly specs: readonly {
    readonly title: string;
    readonly file: string;
    readonly ok: boolean;
    readonly tests: readonly {
      readonly results: readonly { readonly errors: readonly { readonly message?: string }[] }[];
    }[];
  }[];
}

interface PlaywrightReport {
  readonly suites: readonly ReportedSuite[];
  readonly stats: {
    readonly expected: number;
    readonly unexpected: number;
    readonly flaky: number;
    readonly skipped: number;
  };
}

/** The journeys in a real browser. @param files restricts them to paths that contain one of these */
export function browserSuite(files: readonly string[] = [], env: NodeJS.ProcessEnv = {}): Suite {
  return { name: 'journeys in a browser', run: (run) => runProject(run, 'web', files, env) };
}

/**
 * The desktop program, on Electron if its binary can run, else on the stand-in; the name says which.
 * @param files restricts its tests to paths that contain one of these
 */
export function windowSuite(files: readonly string[] = [], more: NodeJS.ProcessEnv = {}): Suite {
  const { name, env } = electronForTests();
  return {
    name: `the window, on ${name}`,
    run: async (run) => {
      const screen = await prepareScreen();
      console.log(`The window is tested on ${name}, ${screen.description}.`);
      if (name !== 'Electron')
        console.warn('NOT TESTED on Electron itself: its binary is not installed, or cannot run on this machine.');
      try {
        return await runProject(run, 'electron', files, { ...env, ...screen.env, ...more });
      } finally {
        screen.close();
      }
    },
  };
}

async function runProject(
  run: RunProgram,
  project: 'web' | 'electron',
  files: readonly string[],
  more: NodeJS.ProcessEnv,
): Promise<SuiteResult> {
  const chromium = await (project === 'web' ? prepareHeadlessChromium() : prepareChromium());
  const folder = await mkdtemp(join(tmpdir(), 'robot-desktop-report-'));
  const file = join(folder, 'report.json');
  try {
    const env = { ...more, PLAYWRIGHT_JSON_OUTPUT_FILE: file, ...(chromium ? { CHROMIUM_PATH: chromium } : {}) };
    // A run empties its folder first: the other project's screenshots and traces stay.
    const options = [`--project=${project}`, '--reporter=list,json', `--output=test-results/${project}`];
    const code = await run('playwright', ['test', ...files, ...options], env);
    const { stats, suites } = JSON.parse(await readFile(file, 'utf8')) as PlaywrightReport;
    const failed = stats.unexpected + stats.flaky;
    return {
      passed: stats.expected,
      failed: failed === 0 && code !== 0 ? 1 : failed,
      skipped: stats.skipped,
      failures: suites.flatMap(failedSpecs),
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function failedSpecs({ specs, suites = [] }: ReportedSuite): string[] {
  const own = specs
    .filter(({ ok }) => !ok)
    .map(({ file, title, tests }) => {
      const errors = tests.flatMap(({ results }) => results.flatMap((result) => result.errors));
      return failedTest(`${file} › ${title}`, errors[0]?.message);
    });
  return [...own, ...suites.flatMap(failedSpecs)];
}
