import { execa } from 'execa';
import { projectDir } from '../environment/project.ts';
import { childrenProcessorS } from './children-processor-time.ts';
import { failedTest } from './failed-test.ts';
import { withoutQuarantined } from './quarantine.ts';
import { reportFigures, type StepFigures } from './run-figures.ts';
import type { SuiteResult } from './suite-result.ts';

/** Runs a program of the project and shows its output. @returns its exit code */
export type RunProgram = (program: string, args: readonly string[], env?: NodeJS.ProcessEnv) => Promise<number>;

/** A suite of tests or checks. */
export interface Suite {
  readonly name: string;
  run(run: RunProgram): Promise<SuiteResult>;
}

interface FinishedSuite {
  readonly name: string;
  readonly result: SuiteResult;
  readonly seconds: string;
}

/**
 * Runs suites in sequence, those of an inner list concurrently, then prints the failed tests, a line for each suite and a
 * total: a log that was cut to its end still tells what failed. Concurrent suites print their output when they
 * end, in the order of the list.
 * @param figures the name of the file with the cost of each step and file, in `test-results`
 * @returns the sums, with the failed tests of all suites
 */
export async function runSuites(
  suites: readonly (Suite | readonly Suite[])[],
  figures = 'figures',
): Promise<SuiteResult> {
  const finished: FinishedSuite[] = [];
  const steps: StepFigures[] = [];
  for (const entry of suites) {
    const [startMs, beforeS] = [performance.now(), childrenProcessorS()];
    const step = 'run' in entry ? [await runAlone(entry)] : await runConcurrently(entry);
    steps.push({
      suites: step.map(({ name }) => name),
      durationS: Math.round((performance.now() - startMs) / 1000),
      processorS: Math.round(childrenProcessorS() - beforeS),
    });
    finished.push(...step);
  }
  const total = { passed: 0, failed: 0, skipped: 0, quarantined: 0 };
  for (const { result } of finished) {
    total.passed += result.passed;
    total.failed += result.failed;
    total.skipped += result.skipped;
    total.quarantined += result.quarantined ?? 0;
  }
  const rows = finished.map(
    ({ name, result, seconds }) => `${name.padEnd(28)} ${summary(result).padEnd(36)} ${seconds.padStart(6)} s`,
  );
  const named = (kind: 'skips' | 'failures' | 'flaky') =>
    finished.flatMap(({ name, result }) => (result[kind] ?? []).map((test) => `${name}: ${test}`));
  const [skips, failures, flaky] = [named('skips'), named('failures'), named('flaky')];
  const files = finished.flatMap(({ result }) => result.files ?? []);
  console.log(`\n${reportFigures(figures, steps, files).join('\n')}`);
  if (skips.length > 0) console.log(`\nSkipped:\n${skips.join('\n')}`);
  if (flaky.length > 0) console.log(`\nFlaky, passed when repeated:\n${flaky.join('\n')}`);
  if (failures.length > 0) console.log(`\nFailed:\n${failures.join('\n')}`);
  const all = { ...total, failures, flaky, files };
  console.log(`\n${rows.join('\n')}\n\n${summary(all)}`);
  return all;
}

async function runAlone(suite: Suite): Promise<FinishedSuite> {
  console.log(heading(suite));
  return await runSuite(suite, runProgram);
}

async function runConcurrently(suites: readonly Suite[]): Promise<FinishedSuite[]> {
  const running = suites.map((suite) => {
    const output: string[] = [];
    return { suite, output, ended: runSuite(suite, runInto(output)) };
  });
  const finished: FinishedSuite[] = [];
  for (const { suite, output, ended } of running) {
    const result = await ended;
    console.log([heading(suite), ...output].join('\n'));
    finished.push(result);
  }
  return finished;
}

async function runSuite(suite: Suite, run: RunProgram): Promise<FinishedSuite> {
  const startMs = performance.now();
  const result = await suite
    .run(run)
    .then(withoutQuarantined)
    .catch((error: unknown): SuiteResult => {
      console.error(error);
      const reason = error instanceof Error ? error.message : String(error);
      return { passed: 0, failed: 1, skipped: 0, failures: [failedTest('ended without a result', reason)] };
    });
  return { name: suite.name, result, seconds: ((performance.now() - startMs) / 1000).toFixed(1) };
}

function heading({ name }: Suite): string {
  return `\n── ${name} ──`;
}

function summary({ passed, failed, skipped, quarantined = 0, flaky = [] }: SuiteResult): string {
  const others = Object.entries({ skipped, quarantined, flaky: flaky.length }).filter(([, count]) => count > 0);
  return [`${passed} passed`, `${failed} failed`, ...others.map(([name, count]) => `${count} ${name}`)].join(', ');
}

const options = { cwd: projectDir, stdin: 'ignore', reject: false } as const;

export const runProgram: RunProgram = async (program, args, env = {}) => {
  const { exitCode } = await execa(program, args, { ...options, env, stdout: 'inherit', stderr: 'inherit' });
  return exitCode ?? 1;
};

/** Collects the output, with colours if the terminal has them. */
function runInto(output: string[]): RunProgram {
  const colours = process.stdout.isTTY && process.env['NO_COLOR'] === undefined ? { FORCE_COLOR: '1' } : {};
  return async (program, args, env = {}) => {
    const { exitCode, all } = await execa(program, args, { ...options, env: { ...colours, ...env }, all: true });
    output.push(all ?? '');
    return exitCode ?? 1;
  };
}

/** A program that counts as one test: it passes if it exits with 0. */
export function programSuite(
  name: string,
  program: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Suite {
  return {
    name,
    run: async (run) => {
      const good = (await run(program, args, env)) === 0;
      return { passed: good ? 1 : 0, failed: good ? 0 : 1, skipped: 0 };
    },
  };
}
