import { realpathSync } from 'node:fs';
import { basename, delimiter, dirname, join } from 'node:path';
import { commandText } from '../client/copied-text.ts';
import type { TerminalCall } from '../contract/daemon.ts';
import { platformDataDir } from '../shared/files/data-paths.ts';

export type StartedAs = Readonly<ReturnType<typeof startedAs>>;

/** The circumstances of a daemon's start. @param projectDir the folder with package.json and bin */
export function startedAs(projectDir: string, dataDir: string) {
  const { argv, env, platform, versions } = process;
  return {
    argv,
    env,
    platform,
    /** Whether the program is Node, and not Electron. */
    isNode: versions['electron'] === undefined,
    projectDir,
    dataDir,
    /** The data folder that a command takes without `--data-dir`, in a terminal without variables of ours. */
    defaultDataDir: platformDataDir(),
    /** The commands that a package has, and whether their names are enough; null: this is no package. */
    installed: installedCommands(join(projectDir, 'bin'), platform, env['PATH'] ?? ''),
  };
}

/** Only packages have commands without the ending of a script: see scripts/packaging. */
function installedCommands(folder: string, platform: NodeJS.Platform, path: string) {
  const name = fileOf('robot-daemon', platform);
  const program = realPathOrNull(join(folder, name));
  if (program === null) return null;
  return { folder, onPath: path.split(delimiter).some((each) => realPathOrNull(join(each, name)) === program) };
}

function realPathOrNull(path: string): string | null {
  try {
    return realpathSync(path);
  } catch {
    return null;
  }
}

const fileOf = (program: ProgramName, platform: NodeJS.Platform) => (platform === 'win32' ? `${program}.cmd` : program);

/** How a terminal calls `robot-daemon` for the daemon of this process. */
export function terminalCall(projectDir: string, dataDir: string): TerminalCall {
  return callOf('robot-daemon', startedAs(projectDir, dataDir));
}

/** The programs for a terminal, and their scripts in package.json. */
const scripts = { 'robot-daemon': 'daemon', 'robot-app-assistant': 'assistant' } as const;
type ProgramName = keyof typeof scripts;

/** The command line that calls a program for a daemon, from any folder of a terminal. */
export function terminalCommand(
  words: readonly string[],
  started: StartedAs,
  program: ProgramName = 'robot-daemon',
): string {
  return commandText(callOf(program, started), words);
}

function callOf(program: ProgramName, started: StartedAs): TerminalCall {
  const { platform, dataDir, defaultDataDir } = started;
  return {
    program: wordsOf(program, started),
    dataDir: dataDir === defaultDataDir ? null : dataDir,
    shell: platform === 'win32' ? 'windows' : 'posix',
  };
}

function wordsOf(
  program: ProgramName,
  { argv: [node = '', script = ''], isNode, env, platform, projectDir, installed }: StartedAs,
): string[] {
  if (installed) return [installed.onPath ? program : join(installed.folder, fileOf(program, platform))];
  const isLink = basename(script) in scripts; // one beside the other
  const byNpx = env['npm_command'] === 'exec'; // has the link on a PATH of its own
  if (isNode && isLink && !byNpx && env['PATH']?.split(delimiter).includes(dirname(script))) return [program];
  const byNpm = env['npm_package_json'] === join(projectDir, 'package.json');
  if (byNpm || !isNode) return ['npm', '--prefix', projectDir, 'run', scripts[program], '--'];
  return [node, join(projectDir, 'bin', `${program}.cjs`)];
}
