/** `npm run check`: checks the tree in under a minute. */
import { staticChecks } from './static-checks.ts';
import { runSuites } from './suites.ts';
import { vitestSuite } from './vitest-suite.ts';

const { failed } = await runSuites([...staticChecks, [vitestSuite('unit'), vitestSuite('renderer')]]);
if (failed > 0) process.exitCode = 1;
