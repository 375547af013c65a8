/**
 * `npm run torture -- <area>…`: all tests of these areas, without one of all areas, at their full length, of which
 * `npm test` takes a seeded sample; takes hours. `TORTURE_SEED` repeats a run, and the variables of `suites/areas.ts` set its
 * length. `--repeat 20` runs them so often, beside the busy processes of `--load 8`, and tells how often each test failed.
 */
import { parseArgs } from 'node:util';
import { execa } from 'execa';
import { withRealPython } from './environment/python-path.ts';
import { type Area, areaOf, areas, kindOf, type TestKind, testFiles } from './suites/areas.ts';
import { browserSuite, windowSuite } from './suites/playwright-suite.ts';
import { pythonSuite } from './suites/python-suite.ts';
import { unsteadyTests } from './suites/repeated-runs.ts';
import { runSuites, type Suite, type SuiteResult } from './suites/suites.ts';
import { vitestSuite } from './suites/vitest-suite.ts';

const USAGE = 'Usage: npm run torture -- [area …] [--repeat RUNS] [--load PROCESSES]';

/** How the tests of each kind are run, in the order of their time. */
const suitesOf: Readonly<Record<TestKind, (files: string[], env: NodeJS.ProcessEnv) => Suite>> = {
  unit: (files, env) => vitestSuite('unit', files, env),
  renderer: (files, env) => vitestSuite('renderer', files, env),
  integration: (files, env) => vitestSuite('integration', files, env),
  browser: browserSuite,
  window: windowSuite,
  python: () => pythonSuite, // one environment for all of them: it runs whole, and once
};

const { chosen, runs, load } = readArguments();
process.env['PATH'] = await withRealPython(process.env['PATH'] ?? '');
const suites = [...new Set(chosen.flatMap(([name, area]) => suitesOfArea(name, area)))];

// They end with this process, whatever ends it in order.
const busy = Array.from({ length: load }, () => execa('node', ['--eval', 'for (;;);'], { reject: false }));
const results: SuiteResult[] = [];
try {
  for (let run = 1; run <= runs; run += 1) {
    if (runs > 1) console.log(`\n══ run ${run} of ${runs}, beside ${load} busy processes ══`);
    results.push(await runSuites(suites));
  }
} finally {
  for (const process of busy) process.kill('SIGKILL');
}
const unsteady = unsteadyTests(results);
for (const { name, failedRuns, firstError } of runs > 1 ? unsteady : [])
  console.log(`\n${name}: failed in ${failedRuns} of ${runs} runs\n    ${firstError}`);
if (runs > 1) console.log(`\n${runs} runs, ${results.filter(({ failed }) => failed === 0).length} without a failure`);
if (results.some(({ failed }) => failed > 0)) process.exitCode = 1;

function suitesOfArea(name: string, { lengths = {} }: Area): Suite[] {
  const files = testFiles().filter((file) => areaOf(file) === name);
  return Object.entries(suitesOf).flatMap(([kind, suiteOf]) => {
    const ofKind = files.filter((file) => kindOf(file) === kind);
    if (ofKind.length === 0) return [];
    const suite = suiteOf(ofKind, { ...lengths, ...process.env });
    return [suite === pythonSuite ? suite : { ...suite, name: `${name}: ${suite.name}` }];
  });
}

function readArguments() {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: { repeat: { type: 'string', default: '1' }, load: { type: 'string', default: '0' } },
    });
    const unknown = positionals.filter((name) => !Object.hasOwn(areas, name));
    if (unknown.length > 0)
      throw new Error(`There is no area ${unknown.join(', ')}. The areas are ${Object.keys(areas).join(', ')}.`);
    if (!/^[1-9]\d{0,2}$/.test(values.repeat)) throw new Error('--repeat takes a number from 1 to 999.');
    if (!/^\d{1,2}$/.test(values.load)) throw new Error('--load takes a number from 0 to 99.');
    return {
      chosen: Object.entries(areas).filter(([name]) => positionals.length === 0 || positionals.includes(name)),
      runs: Number(values.repeat),
      load: Number(values.load),
    };
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}\n${USAGE}`);
    process.exit(2);
  }
}
