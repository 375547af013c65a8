import { execa } from 'execa';
import { projectDir } from '../environment/project.ts';
import { areaOf } from '../suites/areas.ts';
import { failedTest, nameOfFailed } from '../suites/failed-test.ts';
import type { RunProgram } from '../suites/suites.ts';
import { type Trial, tiersOf } from './tiers.ts';

/** The trial of one fault. */
export interface TrialResult {
  readonly fault: string;
  readonly file: string;
  readonly area: string;
  /** The cheapest tier that found it, or null where none did. */
  readonly foundBy: string | null;
  /** The test that found it, with its reason; empty where none did. */
  readonly evidence: string;
  readonly seconds: number;
}

/** The failures of suites of areas without a fault, by area, tier and number. */
const usual = new Map<string, readonly string[]>();

/**
 * Plants a fault, runs tiers until one finds it, and takes the fault out again, also when the signal interrupts it. A test
 * that fails without the fault too finds nothing.
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
  const planted = new PlantedFault(patch);
  await planted.plant();
  try {
    for (const [tier, { name, suites }] of tiersOf(area).entries()) {
      for (const index of suites.keys()) {
        const failures = async (trial: Trial) => {
          const suite = tiersOf(area, trial)[tier]?.suites[index];
          const found = suite ? await failuresOf(suite.run(quietly(signal))) : [];
          signal.throwIfAborted();
          return found;
        };
        const withoutFault = async () => {
          const key = `${area} ${tier} ${index}`;
          const known = usual.get(key);
          if (known) return known;
          await planted.takeOut();
          const found = await failures('without a fault');
          usual.set(key, found);
          await planted.plant();
          return found;
        };
        const found = await failureOfFault(failures, withoutFault);
        if (found !== null) return result(name, found);
      }
      if (name === last) break;
    }
    return result(null);
  } finally {
    await planted.takeOut();
  }
}

class PlantedFault {
  readonly #patch: string;
  #isPlanted = false;

  constructor(patch: string) {
    this.#patch = patch;
  }

  async plant(): Promise<void> {
    await execa('git', ['apply', this.#patch], { cwd: projectDir });
    this.#isPlanted = true;
  }

  async takeOut(): Promise<void> {
    if (!this.#isPlanted) return;
    await execa('git', ['apply', '--reverse', this.#patch], { cwd: projectDir });
    this.#isPlanted = false;
  }
}

/**
 * Looks for a failure of a suite that the fault causes. The suite runs without the fault only after a failure, and in full only
 * if its first failure says nothing about the fault.
 */
export async function failureOfFault(
  failures: (trial: 'first failure' | 'all failures') => Promise<readonly string[]>,
  withoutFault: () => Promise<readonly string[]>,
): Promise<string | null> {
  const [first] = await failures('first failure');
  if (first === undefined) return null;
  const names = new Set((await withoutFault()).map(nameOfFailed));
  if (!names.has(nameOfFailed(first))) return first;
  return (await failures('all failures')).find((failure) => !names.has(nameOfFailed(failure))) ?? null;
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

async function failuresOf(run: Promise<{ failed: number; failures?: readonly string[] }>): Promise<readonly string[]> {
  try {
    const { failed, failures = [] } = await run;
    return failed > 0 && failures.length === 0 ? ['failed without the name of a test'] : failures;
  } catch (error) {
    // Ended by the deadline, or a file that could not be loaded.
    return [failedTest('wrote no report', String(error))];
  }
}
