import { CommanderError } from 'commander';
import type { TerminalCommand } from './command.ts';
import { reportFailure } from './report-failure.ts';

/** Runs a program on its arguments. A failure is printed, and sets the exit code. @param version for its `--version` */
export async function runProgram(program: TerminalCommand, argv: readonly string[], version: string): Promise<void> {
  program.version(version, '--version', 'show the version');
  // `help app install`: the parser's own help command takes one word.
  const [first, ...words] = argv;
  const given = first === 'help' && words.length > 1 ? [...words, '--help'] : argv;
  try {
    await program.parseAsync(given, { from: 'user' });
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return; // it has shown a help text or the version
    reportFailure(error, program.name());
  }
}
