import { execa } from 'execa';

const DEFAULT_TIMEOUT_MS = 5_000;

/**
 * Runs a tool of the system, such as `ps`, in this process's environment or in `env`.
 * @returns its standard output, also when it fails. Empty when the tool does not exist.
 */
export async function askSystemTool(
  file: string,
  args: readonly string[],
  options: { timeoutMs?: number; env?: Record<string, string> } = {},
): Promise<string> {
  const { timeoutMs = DEFAULT_TIMEOUT_MS, env } = options;
  const { stdout } = await execa(file, args, {
    timeout: timeoutMs,
    killSignal: 'SIGKILL', // it has nothing to clean up
    reject: false,
    stdin: 'ignore',
    stderr: 'ignore',
    stripFinalNewline: false,
    cleanup: false,
    ...(env && { env, extendEnv: false }),
  });
  return stdout;
}
