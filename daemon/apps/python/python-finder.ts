import type { HostPython } from '../../app-package/python-finding.ts';
import { DomainError } from '../../shared/domain-error.ts';
import { CommandFailed } from '../../shared/processes/run-command.ts';
import { InstalledPythons } from './installed-pythons.ts';
import { isSupported, OLDEST_PYTHON, type ProbeOptions, type PythonProbe, probePython } from './probe-python.ts';

/** A Python interpreter that can run apps. */
export interface Python extends HostPython {
  readonly executable: string;
}

/** No suitable Python was found. */
export class PythonMissing extends DomainError {
  readonly action: string;
  constructor(message: string, action: string) {
    super(message);
    this.action = action;
  }
}

interface FindOptions extends ProbeOptions {
  /** The configured one; null: none. */
  readonly wanted: string | null;
  readonly installed: Pick<InstalledPythons, 'find'>;
}

/**
 * Finds the preferred Python, which runs the tools too: the configured one, else the first suitable one on PATH, else the
 * newest that is installed elsewhere.
 * @throws PythonMissing with the interpreters that were found and an action for people
 */
export async function findPython({ wanted, installed, ...options }: FindOptions): Promise<Python> {
  const candidates = wanted ? [wanted] : process.platform === 'win32' ? ['python', 'py'] : ['python3', 'python'];
  const seen: string[] = [];
  for (const candidate of candidates) {
    try {
      const python = await probePython(candidate, options);
      if (!isSupported(python.version)) seen.push(`${candidate} is Python ${python.version}`);
      else if (!hasTools(python)) throw withoutVenv(python.executable);
      else return pythonOf(python);
    } catch (error) {
      if (error instanceof PythonMissing || options.signal.aborted) throw error;
      seen.push(error instanceof CommandFailed ? error.message : `${candidate} is not Python`);
    }
  }
  const need = `Apps need Python ${OLDEST_PYTHON} or newer`;
  if (wanted) throw new PythonMissing(`${need}; ${seen.join('; ')}.`, 'Choose another one with --python.');
  // A program that a desktop starts has a short PATH.
  const elsewhere = (await installed.find(options)).find(hasTools);
  if (elsewhere) return pythonOf(elsewhere);
  throw new PythonMissing(
    `${need}, and none was found: ${seen.join('; ')}.`,
    'Install Python from your system or python.org, or choose it with --python.',
  );
}

export function pythonOf({ executable, version, standardModules }: PythonProbe): Python {
  return { executable, version, standardModules: new Set(standardModules) };
}

const hasTools = ({ hasVenv, hasEnsurepip }: PythonProbe): boolean => hasVenv && hasEnsurepip;

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

/**
 * Finds the preferred Python of this machine, for a program without a daemon.
 * @param options.toolsDir holds the Pythons that the daemon downloaded
 * @throws PythonMissing
 */
export function findHostPython({
  toolsDir,
  ...options
}: Omit<FindOptions, 'installed'> & { readonly toolsDir: string }): Promise<Python> {
  return findPython({ ...options, installed: new InstalledPythons(() => options.env, toolsDir) });
}
