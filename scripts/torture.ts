/** `npm run torture`: the long runs of which `npm test` takes a seeded sample. `TORTURE_SEED` repeats one. */
import { windowSuite } from './playwright-suite.ts';
import { runSuites } from './suites.ts';
import { vitestSuite } from './vitest-suite.ts';

const { TORTURE_KILLS = '500', DESKTOP_ROUNDS = '50' } = process.env;
const { failed } = await runSuites([vitestSuite('kills', { TORTURE_KILLS }), windowSuite({ DESKTOP_ROUNDS })]);
if (failed > 0) process.exitCode = 1;
