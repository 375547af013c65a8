/** `npm test`: everything, with one closing line summed over all suites. */
import { browserSuite, windowSuite } from './playwright-suite.ts';
import { pythonSuite } from './python-suite.ts';
import { staticChecks } from './static-checks.ts';
import { runSuites } from './suites.ts';
import { vitestSuite } from './vitest-suite.ts';

const { failed } = await runSuites([
  ...staticChecks,
  [vitestSuite('unit'), vitestSuite('renderer')],
  pythonSuite,
  vitestSuite('integration'),
  browserSuite(),
  windowSuite(),
]);
if (failed > 0) process.exitCode = 1;
