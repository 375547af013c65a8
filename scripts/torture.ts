/**
 * `npm run torture`: the long runs of which `npm test` takes a seeded sample; takes hours. `TORTURE_SEED` repeats a run,
 * and the variables below set its length.
 */
import { browserSuite, windowSuite } from './suites/playwright-suite.ts';
import { runSuites } from './suites/suites.ts';
import { vitestSuite } from './suites/vitest-suite.ts';

const {
  TORTURE_KILLS = '500',
  TORTURE_PAGES = '64',
  TORTURE_REPLUGS = '1000',
  TORTURE_POSES = '100000',
  TORTURE_ROBOTS = '2000',
  TORTURE_FUZZ = '1000',
  TORTURE_CASES = '20000',
  TORTURE_THREADS_S = '60',
  TORTURE_INTERRUPTS = '200',
  TORTURE_DAMAGES = '.',
  DESKTOP_ROUNDS = '150',
} = process.env;

const { failed } = await runSuites([
  vitestSuite('unit', ['daemon/robot/'], { TORTURE_POSES, TORTURE_ROBOTS, TORTURE_FUZZ }),
  vitestSuite('integration', ['lite-backend', 'emulator-backend'], { TORTURE_REPLUGS, TORTURE_LINES: '1' }),
  vitestSuite('integration', ['sdk-threads'], { TORTURE_THREADS_S }),
  vitestSuite('integration', ['sdk-interrupts'], { TORTURE_INTERRUPTS }),
  vitestSuite('integration', ['kills'], { TORTURE_KILLS }),
  vitestSuite('integration', ['engine-behaviour', 'container-life', 'container-engine', 'containers-under-load'], {
    TORTURE_CONTAINERS: '1',
  }),
  vitestSuite('integration', ['damaged-data-folder'], { TORTURE_DAMAGES }),
  vitestSuite('integration', ['full-disk'], { TORTURE_PAGES }),
  vitestSuite('integration', ['install-survey', 'stranger-apps'], { TORTURE_BASELINE: '1' }),
  vitestSuite('integration', ['daemon/testing/daemon/schemathesis'], { TORTURE_CASES }),
  browserSuite(['looks'], { LOOKS_ALL: '1' }),
  windowSuite({ DESKTOP_ROUNDS }),
]);
if (failed > 0) process.exitCode = 1;
