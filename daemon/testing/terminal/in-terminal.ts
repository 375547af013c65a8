import { join } from 'node:path';
import { execa } from 'execa';

export interface TerminalStep {
  /** A regular expression that the output must match next. */
  readonly wait: string;
  /** The keys that are typed then; `\u0003` is Ctrl-C. */
  readonly send?: string;
  /** The signal that the program gets then. */
  readonly signal?: NodeJS.Signals;
}

export interface TerminalRun {
  readonly code: number;
  /** All that was on the terminal, what was typed included. */
  readonly output: string;
}

/** Runs a program on a pseudo-terminal. @throws Error with the output when a text that a step waits for does not come */
export async function inTerminal(
  argv: readonly string[],
  steps: readonly TerminalStep[],
  {
    env = {},
    cwd,
    withinS = 60,
  }: { readonly env?: NodeJS.ProcessEnv; readonly cwd?: string; readonly withinS?: number } = {},
): Promise<TerminalRun> {
  const script = join(import.meta.dirname, 'terminal.py');
  const given = JSON.stringify({ argv, steps, withinS });
  const { stdout } = await execa('python3', [script, given], {
    env: { ...env, TERM: 'xterm' },
    ...(cwd !== undefined && { cwd }),
    stripFinalNewline: true,
  });
  const cut = stdout.lastIndexOf('\n');
  const output = stdout.slice(0, cut).replaceAll('\r\n', '\n');
  const { code, missing } = JSON.parse(stdout.slice(cut + 1)) as { code: number; missing: string | null };
  if (missing !== null) throw new Error(`The terminal never showed /${missing}/:\n${output}`);
  return { code, output };
}
