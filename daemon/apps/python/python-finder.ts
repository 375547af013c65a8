import { join } from 'node:path';
import * as z from 'zod';
import { DomainError } from '../../shared/domain-error.ts';
import { CommandFailed, runCommand } from '../../shared/processes/run-command.ts';

const OLDEST: readonly [number, number] = [3, 10];
const PROBE_MS = 15_000;

const PythonProbe = z.object({
  executable: z.string(),
  version: z.string(),
  standardModules: z.array(z.string()),
  hasVenv: z.boolean(),
  hasEnsurepip: z.boolean(),
});

/** A Python interpreter that can run apps. */
export interface Python {
  /** The interpreter itself: not a shim, which would slow down every start, and not that of a virtual environment. */
  readonly executable: string;
  readonly version: string;
  readonly standardModules: ReadonlySet<string>;
}

/** No suitable Python was found. */
export class PythonMissing extends DomainError {
  readonly action: string;
  constructor(message: string, action: string) {
    super(message);
    this.action = action;
  }
}

/**
 * Finds the Python for apps: the one that was configured, else the first suitable one on PATH.
 * @throws PythonMissing with the interpreters that were found and an action for people
 */
export async function findPython(options: {
  wanted: string | null;
  env: Record<string, string>;
  installerDir: string;
  signal: AbortSignal;
}): Promise<Python> {
  const { wanted, env, installerDir, signal } = options;
  const candidates = wanted ? [wanted] : process.platform === 'win32' ? ['python', 'py'] : ['python3', 'python'];
  const seen: string[] = [];
  for (const candidate of candidates) {
    try {
      const probe = [join(installerDir, 'probe_python.py')];
      const lines = await runCommand(candidate, ['-I', ...probe], { env, deadlineMs: PROBE_MS, signal });
      const python = PythonProbe.parse(JSON.parse(lines.at(-1) ?? ''));
      if (!isNewEnough(python.version)) seen.push(`${candidate} is Python ${python.version}`);
      else if (!python.hasVenv || !python.hasEnsurepip) throw withoutVenv(python.executable);
      else return { ...python, standardModules: new Set(python.standardModules) };
    } catch (error) {
      if (error instanceof PythonMissing || signal.aborted) throw error;
      seen.push(error instanceof CommandFailed ? error.message : `${candidate} is not Python`);
    }
  }
  const need = `Apps need Python ${OLDEST.join('.')} or newer`;
  throw wanted
    ? new PythonMissing(`${need}; ${seen.join('; ')}.`, 'Choose another one with --python.')
    : new PythonMissing(
        `${need}, and none was found: ${seen.join('; ')}.`,
        'Install Python from your system or python.org, or choose it with --python.',
      );
}

function isNewEnough(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1]);
}

function withoutVenv(executable: string): PythonMissing {
  const install =
    process.platform === 'linux'
      ? 'On Debian and Ubuntu: sudo apt install python3-venv.'
      : 'Install the full Python from python.org.';
  return new PythonMissing(
    `${executable} lacks the module venv or ensurepip, which are needed to create an app's environment.`,
    install,
  );
}
