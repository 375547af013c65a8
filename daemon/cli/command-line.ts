import { doctor } from './doctor.ts';
import { endpoint } from './endpoint/endpoint.ts';
import { install } from './install.ts';
import { model } from './model.ts';
import { restart } from './restart.ts';
import { runDaemon } from './run-daemon.ts';
import { endWithReader } from './shared/end-with-reader.ts';
import { signIn } from './sign-in.ts';
import { status } from './status.ts';
import { stop } from './stop.ts';
import { token } from './token.ts';

/** The subcommands. Without one, the command line starts a daemon. */
const commands: Readonly<Record<string, (argv: readonly string[], projectDir: string) => Promise<void>>> = {
  status,
  stop,
  restart,
  doctor,
  install,
  model,
  endpoint,
  token,
  'sign-in': signIn,
};

/**
 * Runs the command `robot-daemon`.
 * @param projectDir the folder with package.json, assets and dist
 */
export async function commandLine(argv: readonly string[], projectDir: string): Promise<void> {
  const [name = '', ...rest] = argv;
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!command) return runDaemon(name === 'help' ? ['--help'] : argv, { projectDir });
  if (command !== restart) endWithReader(); // restart becomes the daemon, which goes on without a terminal
  await command(rest, projectDir);
}
