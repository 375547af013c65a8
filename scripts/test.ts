/** `npm test`: runs all suites and prints a total. */
import { withRealPython } from './environment/python-path.ts';
import { browserSuite, windowSuite } from './suites/playwright-suite.ts';
import { pythonSuite } from './suites/python-suite.ts';
import { staticChecks } from './suites/static-checks.ts';
import { runSuites } from './suites/suites.ts';
import { installTestPrograms } from './suites/test-programs.ts';
import { vitestSuite } from './suites/vitest-suite.ts';

process.env['PATH'] = await withRealPython(process.env['PATH'] ?? '');

const [firstChecks = [], ...otherChecks] = staticChecks;
const { failed } = await runSuites([
  [...firstChecks, ...installTestPrograms()],
  [...otherChecks.flat(), vitestSuite('unit'), vitestSuite('renderer')],
  vitestSuite('integration'),
  browserSuite(),
  pythonSuite, // after the integration tests, whose tools include uv; alone, since the sound tests run in real time
  windowSuite(),
]);
if (failed > 0) process.exitCode = 1;
