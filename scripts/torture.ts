/**
 * `npm run torture -- <area>…`: all tests of these areas, without one of all areas, at their full length, of which
 * `npm test` takes a part; takes hours. Each whole run goes into `suites/torture-ledger.json`, which is committed.
 * `TORTURE_SEED` repeats a run, and the variables of `suites/areas.ts` set its length. `--repeat 20` runs the tests so
 * often, each time with the files in another order, beside the busy processes of `--load 8`, and tells how often each test failed,
 * also in `test-results/repeated-runs.json`. `TEST_ORDER` repeats an order.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { projectDir } from './environment/project.ts';
import { findRealPrograms } from './environment/real-programs.ts';
import prepareTests from './prepare-tests.ts';
import { type Area, areas } from './suites/areas.ts';
import { startBusyProcess } from './suites/busy-process.ts';
import { suitesOfArea } from './suites/programs/area-suites.ts';
import { unsteadyTests } from './suites/repeated-runs.ts';
import type { SuiteResult } from './suites/suite-result.ts';
import { runProgram, runSuites } from './suites/suites.ts';
import { installTestPrograms } from './suites/test-programs.ts';
import { inputsOf, recordRun } from './suites/torture-ledger.ts';

const USAGE = 'Usage: npm run torture -- [area …] [--repeat RUNS] [--load PROCESSES]';

const { chosen, runs, load } = readArguments();
findRealPrograms();
const seed = process.env['TORTURE_SEED'] ?? new Date().toISOString().slice(0, 10).replaceAll('-', '');
process.env['TORTURE_SEED'] = seed;
for (const programs of installTestPrograms('torture')) await programs.run(runProgram);
await prepareTests();

const busy = Array.from({ length: load }, startBusyProcess);
const results: SuiteResult[] = [];
try {
  for (let run = 1; run <= runs; run += 1) {
    if (runs > 1) {
      process.env['TEST_ORDER'] = `${seed}-${run}`;
      console.log(`\n══ run ${run} of ${runs}, beside ${load} busy processes, TEST_ORDER=${seed}-${run} ══`);
    }
    const ofAreas: SuiteResult[] = [];
    for (const [name, area] of chosen) ofAreas.push(await runArea(name, area));
    results.push(sumOf(ofAreas));
  }
} finally {
  for (const process of busy) process.kill('SIGKILL');
}
if (runs > 1) {
  const unsteady = unsteadyTests(results);
  for (const { name, failedRuns, firstError } of unsteady)
    console.log(`\n${name}: failed in ${failedRuns} of ${runs} runs\n    ${firstError}`);
  const good = results.filter(({ failed }) => failed === 0).length;
  console.log(`\n${good} of ${runs} runs without a failure`);
  const report = { seed, load, runs, good, unsteady };
  writeFileSync(join(projectDir, 'test-results', 'repeated-runs.json'), `${JSON.stringify(report, null, 2)}\n`);
}
if (results.some(({ failed }) => failed > 0)) process.exitCode = 1;

async function runArea(name: string, area: Area): Promise<SuiteResult> {
  console.log(`\n══ ${name} ══`);
  const inputs = inputsOf()[name] ?? '';
  const result = await runSuites(suitesOfArea(name, area, runs > 1), `figures-${name}`);
  const shortened = Object.keys(area.lengths ?? {}).filter((variable) => variable in process.env);
  if (runs > 1 || load > 0) console.log('Not recorded: it is repeated, or beside busy processes.');
  else if (shortened.length > 0) console.log(`Not recorded: ${shortened.join(', ')} set the length.`);
  else recordRun(name, inputs, seed, result);
  return result;
}

function sumOf(results: readonly SuiteResult[]): SuiteResult {
  const sum = (count: 'passed' | 'failed' | 'skipped') => results.reduce((total, result) => total + result[count], 0);
  const failures = results.flatMap((result) => result.failures ?? []);
  return { passed: sum('passed'), failed: sum('failed'), skipped: sum('skipped'), failures };
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
