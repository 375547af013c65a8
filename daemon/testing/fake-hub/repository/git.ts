import { devNull } from 'node:os';
import { execa } from 'execa';

/** Excludes the settings of the user and the machine. */
export const gitEnvironment: Readonly<Record<string, string>> = {
  PATH: process.env['PATH'] ?? '',
  HOME: devNull,
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: devNull,
  GIT_TERMINAL_PROMPT: '0',
  LC_ALL: 'C',
};

const DEADLINE_MS = 60_000;

/** @returns git's output @throws Error with git's error output, or after a minute */
export async function git(cwd: string, args: readonly string[], input: Buffer | string = ''): Promise<Buffer> {
  const result = await execa('git', args, {
    cwd,
    env: gitEnvironment,
    extendEnv: false,
    input,
    stripFinalNewline: false,
    encoding: 'buffer',
    timeout: DEADLINE_MS,
    reject: false,
  });
  if (!result.failed) return Buffer.from(result.stdout);
  const complaint = Buffer.from(result.stderr).toString().trim() || result.shortMessage;
  throw new Error(`git ${args[0]}: ${complaint}`, { cause: result });
}
