import { execa } from 'execa';

/** How long a tool of the system may take, unless the caller says otherwise. */
const DEFAULT_TIMEOUT_MS = 5_000;

/**
 * Asks a tool that comes with the system, such as `ps`, in this process's own environment or in `env`.
 * @returns its standard output; what it wrote before it failed, too. Empty when it is not there.
 */
export async function askSystemTool(
  file: string,
  args: readonly string[],
  options: { timeoutMs?: number; env?: Record<string, string> } = {},
): Promise<string> {
  const { timeoutMs = DEFAULT_TIMEOUT_MS, env } = options;
  const { stdout } = await execa(file, args, {
    timeout: timeoutMs,
    killSignal: 'SIGKILL', // it has nothing to put in order
    reject: false,
    stdin: 'ignore',
    stderr: 'ignore',
    stripFinalNewline: false,
    cleanup: false,
    ...(env && { env, extendEnv: false }),
  });
  return stdout;
}
