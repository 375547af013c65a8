import { join } from 'node:path';
import { compare } from '@renovatebot/pep440';
import * as z from 'zod';
import { runCommand } from '../../shared/processes/run-command.ts';

/** The oldest Python that the SDK supports. */
export const OLDEST_PYTHON = '3.10';
const PROBE_MS = 15_000;

const PythonProbe = z.object({
  /** The interpreter itself: not a shim, which would slow down every start, and not that of a virtual environment. */
  executable: z.string(),
  /** `3.11.7` */
  version: z.string(),
  /** Whether it is a final release: no alpha, beta or candidate. */
  isFinal: z.boolean(),
  /** Whether it is CPython with its lock, the kind that packages are built for. */
  isUsual: z.boolean(),
  standardModules: z.array(z.string()),
  hasVenv: z.boolean(),
  hasEnsurepip: z.boolean(),
});
/** The facts about an interpreter. */
export type PythonProbe = z.infer<typeof PythonProbe>;

export interface ProbeOptions {
  readonly env: Readonly<Record<string, string>>;
  readonly installerDir: string;
  readonly signal: AbortSignal;
}

/**
 * Runs an interpreter and asks for its facts.
 * @throws CommandFailed, the reason of the signal, or another error when the program is not Python
 */
export async function probePython(program: string, { env, installerDir, signal }: ProbeOptions): Promise<PythonProbe> {
  const script = join(installerDir, 'probe_python.py');
  const lines = await runCommand(program, ['-I', script], { env, deadlineMs: PROBE_MS, signal });
  return PythonProbe.parse(JSON.parse(lines.at(-1) ?? ''));
}

/** Whether the SDK supports a version. */
export function isSupported(version: string): boolean {
  return compare(version, OLDEST_PYTHON) >= 0;
}
