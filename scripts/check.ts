/** `npm run check`: checks the tree in under a minute. */
import { staticChecks } from './suites/static-checks.ts';
import { runSuites } from './suites/suites.ts';
import { vitestSuite } from './suites/vitest-suite.ts';

const { failed } = await runSuites([...staticChecks, [vitestSuite('unit'), vitestSuite('renderer')]]);
if (failed > 0) process.exitCode = 1;
