import { execa } from 'execa';
import { projectDir } from './project.ts';

export interface SuiteResult {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/** One of the suites that a run of the tests is made of. */
export interface Suite {
  readonly name: string;
  run(): Promise<SuiteResult>;
}

/** Runs suites one after the other, says how each went, and closes with one line that sums them up. */
export async function runSuites(suites: readonly Suite[]): Promise<SuiteResult> {
  const total = { passed: 0, failed: 0, skipped: 0 };
  const rows: string[] = [];
  for (const suite of suites) {
    console.log(`\n── ${suite.name} ──`);
    const startMs = performance.now();
    const result = await suite.run().catch((error: unknown): SuiteResult => {
      console.error(error);
      return { passed: 0, failed: 1, skipped: 0 };
    });
    const seconds = ((performance.now() - startMs) / 1000).toFixed(1);
    rows.push(`${suite.name.padEnd(28)} ${summary(result).padEnd(36)} ${seconds.padStart(6)} s`);
    total.passed += result.passed;
    total.failed += result.failed;
    total.skipped += result.skipped;
  }
  console.log(`\n${rows.join('\n')}\n\n${summary(total)}`);
  return total;
}

function summary({ passed, failed, skipped }: SuiteResult): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}

/** Runs a program of the project with its output shown. @returns its exit code */
export async function runProgram(
  program: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<number> {
  const stdio = ['ignore', 'inherit', 'inherit'] as const;
  const { exitCode } = await execa(program, args, { cwd: projectDir, stdio, env, reject: false });
  return exitCode ?? 1;
}

/** A program that says yes or no by its exit code, counted as one test. */
export function programSuite(name: string, program: string, args: readonly string[]): Suite {
  return {
    name,
    run: async () => {
      const good = (await runProgram(program, args)) === 0;
      return { passed: good ? 1 : 0, failed: good ? 0 : 1, skipped: 0 };
    },
  };
}
