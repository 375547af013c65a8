import { execFile } from 'node:child_process';
import { devNull } from 'node:os';

/** Neither the user's settings nor the machine's change what git does here. */
export const gitEnvironment: Readonly<Record<string, string>> = {
  PATH: process.env['PATH'] ?? '',
  HOME: devNull,
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: devNull,
  GIT_TERMINAL_PROMPT: '0',
  LC_ALL: 'C',
};

const DEADLINE_MS = 60_000;
const MAX_OUTPUT_BYTES = 256 * 1024 * 1024;

/** @returns what git wrote. @throws Error with what it complained about, or past a minute */
export function git(cwd: string, args: readonly string[], input: Buffer | string = ''): Promise<Buffer> {
  const options = {
    cwd,
    env: gitEnvironment,
    encoding: 'buffer',
    timeout: DEADLINE_MS,
    maxBuffer: MAX_OUTPUT_BYTES,
  } as const;
  return new Promise((resolve, reject) => {
    const child = execFile('git', args, options, (error, stdout, stderr) => {
      if (error) reject(new Error(`git ${args[0]}: ${stderr.toString().trim() || error.message}`, { cause: error }));
      else resolve(stdout);
    });
    // A git that ended early does not read on; how it ended is what counts.
    child.stdin?.on('error', () => {});
    child.stdin?.end(input);
  });
}
