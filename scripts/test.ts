/** `npm test`: runs all suites and prints a total. */
import { findRealPrograms } from './environment/real-programs.ts';
import prepareTests from './prepare-tests.ts';
import { openTestsOrWhyNot } from './suites/open-tests.ts';
import { quickPython } from './suites/programs/python-suite.ts';
import { smokeJourneys, smokeLane, smokeWindow } from './suites/programs/smoke-lane.ts';
import { staticChecks } from './suites/programs/static-checks.ts';
import { vitestSuite } from './suites/programs/vitest-suite.ts';
import { tooExpensive } from './suites/run-figures.ts';
import { runSuites, type Suite } from './suites/suites.ts';
import { installTestPrograms } from './suites/test-programs.ts';

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
printUnder('Expensive test files', tooExpensive(files));
printUnder('Before a release (npm run torture -- <area>…)', openTestsOrWhyNot());
if (failed > 0) process.exitCode = 1;

function printUnder(heading: string, lines: readonly string[]): void {
  if (lines.length > 0) console.log(`\n${heading}:\n${lines.join('\n')}`);
}
