/** `npm test`: runs all suites and prints a total. */
import { findRealPrograms } from './environment/real-programs.ts';
import prepareTests from './prepare-tests.ts';
import { openTests } from './suites/open-tests.ts';
import { quickPython } from './suites/python-suite.ts';
import { tooDear } from './suites/run-figures.ts';
import { smokeJourneys, smokeLane, smokeWindow } from './suites/smoke-lane.ts';
import { staticChecks } from './suites/static-checks.ts';
import { runSuites, type Suite } from './suites/suites.ts';
import { installTestPrograms } from './suites/test-programs.ts';
import { vitestSuite } from './suites/vitest-suite.ts';

findRealPrograms();

/** Here, in the process that starts the three suites that need it. */
const preparation: Suite = {
  name: 'preparation',
  run: async () => {
    await prepareTests();
    return { passed: 0, failed: 0, skipped: 0 };
  },
};
const [firstChecks = [], ...otherChecks] = staticChecks;
const { failed, files = [] } = await runSuites([
  [...firstChecks, ...installTestPrograms('test')],
  [...otherChecks.flat(), vitestSuite('unit'), vitestSuite('renderer')],
  [vitestSuite('integration'), quickPython],
  preparation,
  ...smokeLane(),
  smokeJourneys,
  smokeWindow,
]);
const lines = [...tooDear(files), ...openTests()];
if (lines.length > 0) console.log(`\nBefore a release (npm run torture -- <area>…):\n${lines.join('\n')}`);
if (failed > 0) process.exitCode = 1;
