import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { StoredVersion } from '../apps/installed/app-pointer.ts';
import { pythonIn, tryImport } from '../apps/python/python-env.ts';
import { succeeds } from '../shared/async/succeeds.ts';
import { CommandFailed } from '../shared/processes/run-command.ts';
import type { Examined } from './examined.ts';

/** Whether an app could be started from an environment. */
export type EnvironmentHealth =
  | { readonly state: 'well' }
  | { readonly state: 'missing' }
  /** Its interpreter does not run: most often the system's Python, which it leans on, was replaced. */
  | { readonly state: 'no-python' }
  /** The app cannot be imported; `why` is the last line that Python wrote. */
  | { readonly state: 'no-import'; readonly why: string };

const PYTHON_MS = 15_000;

/** Tries it as an install does, in a process of its own. */
export async function environmentHealth(
  envDir: string,
  { module, className }: Pick<StoredVersion['app'], 'module' | 'className'>,
  { run, installerDir }: Pick<Examined, 'run' | 'installerDir'>,
): Promise<EnvironmentHealth> {
  if (!(await isFolder(envDir))) return { state: 'missing' };
  const work = await mkdtemp(join(tmpdir(), 'robot-doctor-'));
  try {
    const { problem } = await tryImport({
      envDir,
      installerDir,
      module,
      className,
      resultFile: join(work, 'import.json'),
      run,
    });
    return problem === null ? { state: 'well' } : { state: 'no-import', why: problem };
  } catch (error) {
    if (!(error instanceof CommandFailed)) throw error;
    if (!(await pythonRuns(envDir, run))) return { state: 'no-python' };
    return { state: 'no-import', why: error.lines.findLast((line) => line.trim() !== '') ?? error.message };
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

/** Whether the interpreter of an environment answers. */
export async function pythonRuns(envDir: string, run: Examined['run']): Promise<boolean> {
  return succeeds(run(pythonIn(envDir), ['-I', '-c', ''], { deadlineMs: PYTHON_MS }));
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}
