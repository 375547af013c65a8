import { projectVersion } from './project.ts';
import { robotDaemon } from './robot-daemon.ts';
import { endWithReader } from './shared/end-with-reader.ts';
import { runProgram } from './shared/run-program.ts';

/** Runs a command of `robot-daemon`, or prints its help. */
export async function runCommand(argv: readonly string[], projectDir: string): Promise<void> {
  // `restart` becomes the daemon, which goes on without a terminal.
  if (argv[0] !== 'restart') endWithReader();
  await runProgram(robotDaemon(projectDir), argv, await projectVersion(projectDir));
}
