/** `npm test`: runs all suites and prints a total. */
import { findRealPrograms } from './environment/real-programs.ts';
import { openTests } from './suites/open-tests.ts';
import { quickPython } from './suites/python-suite.ts';
import { tooDear } from './suites/run-figures.ts';
import { smokeJourneys, smokeLane, smokeWindow } from './suites/smoke-lane.ts';
import { staticChecks } from './suites/static-checks.ts';
import { runSuites } from './suites/suites.ts';
import { installTestPrograms } from './suites/test-programs.ts';
import { vitestSuite } from './suites/vitest-suite.ts';

findRealPrograms();

const [firstChecks = [], ...otherChecks] = staticChecks;
const { failed, files = [] } = await runSuites([
  [...firstChecks, ...installTestPrograms()],
  [...otherChecks.flat(), vitestSuite('unit'), vitestSuite('renderer')],
  [vitestSuite('integration'), quickPython],
  ...smokeLane(),
  smokeJourneys,
  smokeWindow,
]);
const lines = [...tooDear(files), ...openTests()];
if (lines.length > 0) console.log(`\nBefore a release (npm run torture -- <area>…):\n${lines.join('\n')}`);
if (failed > 0) process.exitCode = 1;
