import { execa } from 'execa';
import { projectDir } from '../environment/project.ts';
import { areaOf } from '../suites/areas.ts';
import type { RunProgram } from '../suites/suites.ts';
import { tiersOf } from './tiers.ts';

/** The trial of one fault. */
export interface TrialResult {
  readonly fault: string;
  readonly file: string;
  readonly area: string;
  /** The cheapest tier that found it, or null where none did. */
  readonly foundBy: string | null;
  /** The first failed test, or what the tier printed last. */
  readonly evidence: string;
  readonly seconds: number;
}

/**
 * Plants a fault, runs tiers until one fails, and takes the fault out again, also when the signal interrupts it.
 * @param patch its file
 * @param last the name of the last tier to run
 * @throws {Error} if the patch does not apply to the tree, or if interrupted
 */
export async function tryFault(fault: string, patch: string, last: string, signal: AbortSignal): Promise<TrialResult> {
  const { stdout } = await execa('git', ['apply', '--numstat', patch], { cwd: projectDir });
  const file = stdout.split('\t')[2] ?? '';
  const area = areaOf(file) ?? 'none';
  const startMs = performance.now();
  const result = (foundBy: string | null, evidence = '') => {
    return { fault, file, area, foundBy, evidence, seconds: Math.round((performance.now() - startMs) / 1000) };
  };
  await execa('git', ['apply', patch], { cwd: projectDir });
  try {
    for (const { name, suites } of tiersOf(area)) {
      for (const suite of suites) {
        const found = await firstFailure(suite.run(quietly(signal)));
        signal.throwIfAborted();
        if (found !== null) return result(name, found);
      }
      if (name === last) break;
    }
    return result(null);
  } finally {
    await execa('git', ['apply', '--reverse', patch], { cwd: projectDir });
  }
}

/** Above the time of the longest tier; a fault can make a test hang. */
const DEADLINE_MS = 15 * 60_000;

function quietly(signal: AbortSignal): RunProgram {
  const options = {
    cwd: projectDir,
    stdin: 'ignore',
    reject: false,
    timeout: DEADLINE_MS,
    cancelSignal: signal,
  } as const;
  return async (program, args, env = {}) => (await execa(program, args, { ...options, env })).exitCode ?? 1;
}

async function firstFailure(run: Promise<{ failed: number; failures?: readonly string[] }>): Promise<string | null> {
  try {
    const { failed, failures = [] } = await run;
    return failed === 0 ? null : (failures[0] ?? 'failed without the name of a test');
  } catch (error) {
    return `wrote no report: ${String(error)}`; // ended by the deadline, or a file that could not be loaded
  }
}
