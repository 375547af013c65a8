import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { missingInOutput } from '../apps/crash/missing-variables.ts';
import type { StoredVersion } from '../apps/installed/app-pointer.ts';
import { pythonIn, tryImport } from '../apps/python/python-env.ts';
import { succeeds } from '../shared/async/succeeds.ts';
import { isFolder } from '../shared/files/make-folder.ts';
import { CommandFailed } from '../shared/processes/run-command.ts';
import type { CheckContext } from './check.ts';
import { TEMPORARY } from './host-checks.ts';

/** Whether an app can start from an environment. */
export type EnvironmentHealth =
  | { readonly state: 'ok' }
  | { readonly state: 'missing' }
  /** Its interpreter does not run. Usual cause: the system's Python was replaced. */
  | { readonly state: 'no-python' }
  /** The app cannot be imported; `why` is the last line of Python's output. */
  | { readonly state: 'no-import'; readonly why: string };

const PYTHON_MS = 15_000;

/**
 * Imports the app in a separate process, as an install does. An app that only lacks a variable at its import is healthy:
 * the check does not have the app's variables.
 */
export async function environmentHealth(
  envDir: string,
  { module, className }: Pick<StoredVersion['app'], 'module' | 'className'>,
  { run, installerDir }: Pick<CheckContext, 'run' | 'installerDir'>,
): Promise<EnvironmentHealth> {
  if (!(await isFolder(envDir))) return { state: 'missing' };
  const work = await mkdtemp(join(tmpdir(), TEMPORARY));
  try {
    const resultFile = join(work, 'import.json');
    const { problem } = await tryImport({ envDir, installerDir, module, className, resultFile, run });
    return problem === null ? { state: 'ok' } : { state: 'no-import', why: problem };
  } catch (error) {
    if (!(error instanceof CommandFailed)) throw error;
    if (!(await pythonRuns(envDir, run))) return { state: 'no-python' };
    if (!error.timedOut && missingInOutput(error.lines)) return { state: 'ok' };
    return { state: 'no-import', why: error.lines.findLast((line) => line.trim() !== '') ?? error.message };
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

/** Whether an environment's interpreter runs. */
export async function pythonRuns(envDir: string, run: CheckContext['run']): Promise<boolean> {
  return succeeds(run(pythonIn(envDir), ['-I', '-c', ''], { deadlineMs: PYTHON_MS }));
}
