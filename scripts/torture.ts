/** `npm run torture`: the long runs of which `npm test` takes a seeded sample. `TORTURE_SEED` repeats one. */
import { runSuites } from './suites.ts';
import { vitestSuite } from './vitest-suite.ts';

const { failed } = await runSuites([vitestSuite('kills', { TORTURE_KILLS: process.env['TORTURE_KILLS'] ?? '500' })]);
if (failed > 0) process.exitCode = 1;
