import { join } from 'node:path';
import type { RunStep } from '../../apps/python/python-env.ts';
import { findUv, toolEnvironments } from '../../apps/python/uv-and-pip.ts';
import { type CommandFailed, runCommand } from '../../shared/processes/run-command.ts';
import { SHARED_TOOLS } from '../daemon/test-daemon.ts';

const INSTALL_DEADLINE_MS = 180_000;
const system = process.platform === 'win32' ? 'python' : 'python3';

/** The interpreter of a Python environment. */
export function pythonOf(folder: string): string {
  return join(folder, ...(process.platform === 'win32' ? ['Scripts', 'python.exe'] : ['bin', 'python']));
}

/**
 * Creates a Python environment with packages of the package index: with uv if the tests' tools have it, which takes a
 * tenth of the time, otherwise or if uv fails with pip.
 * @param base the Python to create it with
 * @throws CommandFailed when there is no Python, or no package index that has the packages
 */
export async function createPythonEnvironment(
  folder: string,
  packages: readonly string[],
  env: Readonly<Record<string, string>>,
  base = system,
): Promise<void> {
  const run: RunStep = (file, args, more) => runCommand(file, args, { env, deadlineMs: INSTALL_DEADLINE_MS, ...more });
  const python = pythonOf(folder);
  const uv = await findUv(await toolEnvironments(SHARED_TOOLS), run);
  if (uv) {
    await run(base, ['-m', 'venv', '--clear', '--without-pip', folder]);
    const installed = await run(uv, ['pip', 'install', '--quiet', '--python', python, ...packages]).then(
      () => true,
      (_error: CommandFailed) => false, // pip may know a package index that uv does not
    );
    if (installed) return;
  }
  await run(base, ['-m', 'venv', '--clear', folder]);
  const quiet = ['--quiet', '--disable-pip-version-check', '--retries', '1', '--timeout', '15'];
  await run(python, ['-m', 'pip', 'install', ...quiet, ...packages]);
}
