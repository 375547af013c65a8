import { type DaemonArguments, parseDaemonArguments, UnknownArgument } from './daemon-arguments.ts';
import type { RunDaemonOptions } from './run-daemon.ts';
import { reportFailure } from './shared/report-failure.ts';

/**
 * Runs the command `robot-daemon`: without a command in its arguments, a daemon. Loads only what is needed: a daemon starts
 * without the parser of the commands.
 */
export async function commandLine(argv: readonly string[], options: RunDaemonOptions): Promise<void> {
  let given: DaemonArguments | null = null;
  try {
    given = parseDaemonArguments(argv, options.defaultRobot);
  } catch (error) {
    // The parser of the commands suggests what was meant.
    if (!(error instanceof UnknownArgument)) return reportFailure(error);
  }
  if (given) return (await import('./run-daemon.ts')).runDaemon(given, options);
  const { runCommand } = await import('./robot-daemon.ts');
  await runCommand(argv, options.projectDir);
}
