import { Option } from 'commander';
import type { AppTemplate } from '../../contract/apps/own-apps.ts';
import { completionCommands } from '../completion/completion-commands.ts';
import { projectVersion } from '../project.ts';
import { TerminalCommand } from '../shared/command.ts';
import { endWithReader } from '../shared/interruptible.ts';

/** Runs the command `robot-app-assistant`. @param options.projectDir the folder with package.json, assets and dist */
export async function appAssistant(
  argv: readonly string[],
  { projectDir }: { readonly projectDir: string },
): Promise<void> {
  endWithReader();
  await assistantProgram(projectDir).run(argv, await projectVersion(projectDir));
}

const templates = ['default', 'conversation'] satisfies AppTemplate[];

/** The program `robot-app-assistant`; what its commands do is loaded when they are called. */
function assistantProgram(projectDir: string): TerminalCommand {
  const program = TerminalCommand.program('robot-app-assistant')
    .description('Creates, checks, publishes and runs apps of your own')
    .examples(
      'robot-app-assistant create "My app" .',
      'robot-app-assistant run ./my_app',
      'robot-app-assistant check ./my_app',
      'robot-app-assistant publish ./my_app',
    )
    .exitCodes('0 done, 1 failed, 2 bad arguments; see the help of each command');
  createCommand(program, projectDir);
  checkCommand(program, projectDir);
  publishCommand(program, projectDir);
  runCommand(program, projectDir);
  completionCommands(program, { asksDaemon: false });
  return program;
}

function createCommand(program: TerminalCommand, projectDir: string): void {
  const create = program
    .sub(
      'create [app_name] [destination]',
      'Creates an app from a template, in a new folder with its name. In a terminal, it asks for what is missing',
      ['what the app is called: "My app" or my_app', 'the folder in which its own folder is created'],
    )
    .addOption(new Option('--template <name>', 'the template').choices(templates).default('default'))
    .option('--publish', 'publish it too; its folder becomes a Git repository with the remote "space"')
    .option('--yes', 'publish without asking');
  visibility(create);
  hubOptions(create)
    .examples(
      'robot-app-assistant create my_app .',
      'robot-app-assistant create "Chatty robot" ~/robot-apps --template conversation',
      'robot-app-assistant create my_app . --publish --private',
    )
    .exitCodes('0 created, 1 failed, 2 bad arguments, 130 interrupted')
    .action(async (name: string | undefined, destination: string | undefined, options, { paths }: TerminalCommand) =>
      (await import('./create.ts')).create(name, destination, options, { projectDir, paths }),
    );
}

function checkCommand(program: TerminalCommand, projectDir: string): void {
  program
    .sub(
      'check <path>',
      'Checks an app: its files by every rule, then its build and its class in an environment that is thrown away',
      ["the app's folder"],
    )
    .option('--no-build', 'check the files only')
    .option('--fix', 'repair what can be repaired without a decision of yours, then check')
    .option('--strict', 'warnings count as problems')
    .option('--json', 'the report as JSON')
    .addOption(new Option('--sarif', 'the report as SARIF, for editors and code hosts').conflicts('json'))
    .onDataFolder()
    .examples(
      'robot-app-assistant check ./my_app',
      'robot-app-assistant check ./my_app --no-build --sarif > findings.sarif',
    )
    .exitCodes('0 no problem, 1 a problem, 2 bad arguments, 3 it could not be built here, 130 interrupted')
    .action(async (path: string, options, { paths }: TerminalCommand) =>
      (await import('./check.ts')).check(path, options, { projectDir, paths }),
    );
}

function publishCommand(program: TerminalCommand, projectDir: string): void {
  const publish = program
    .sub(
      'publish <path>',
      'Shows what becomes public, asks, and then publishes an app as a Space of the hub, or updates that Space. The token ' +
        'comes from ROBOT_HUB_TOKEN or HF_TOKEN, else from the daemon; else it asks for one. A folder without Git becomes ' +
        'a repository with the remote "space"',
      ["the app's folder"],
    )
    .summary('publishes an app as a Space of the hub, or updates it')
    .option('--dry-run', 'only show what would be published')
    .option('--version <version>', "the version (the app's own; the next patch version if that one is published)")
    .option('--overwrite', 'overwrite changes of the Space that were made elsewhere')
    .option('--yes', 'publish without asking')
    .option('--json', 'the result as JSON');
  visibility(publish);
  hubOptions(publish)
    .examples(
      'robot-app-assistant publish ./my_app --dry-run',
      'robot-app-assistant publish ./my_app --public',
      'HF_TOKEN=… robot-app-assistant publish ./my_app --yes',
    )
    .exitCodes('0 published, or nothing to publish, 1 failed, 2 bad arguments, 130 interrupted')
    .action(async (path: string, options, { paths }: TerminalCommand) =>
      (await import('./publish.ts')).publish(path, options, { projectDir, paths }),
    );
}

function runCommand(program: TerminalCommand, projectDir: string): void {
  program
    .sub(
      'run <path>',
      'Runs an app from its folder on the running daemon, shows its output and restarts it when a file changes. Ctrl-C ' +
        'stops it, a second one kills it',
      ["the app's folder"],
    )
    .summary('runs an app from its folder, and restarts it when a file changes')
    .option('--replace', 'stop the running app first')
    .onDataFolder()
    .examples('robot-app-assistant run ./my_app', 'robot-app-assistant run ./my_app --replace')
    .exitCodes('0 stopped or finished, 1 crashed, killed or not started, 2 bad arguments, 3 no daemon runs')
    .action(async (path: string, options, { paths }: TerminalCommand) =>
      (await import('./run.ts')).run(path, options, { projectDir, paths }),
    );
}

function visibility(command: TerminalCommand): void {
  command
    .addOption(new Option('--private', 'only you see the Space (the default of a new one)').conflicts('public'))
    .addOption(new Option('--public', 'everybody sees the Space, and finds it in the store').conflicts('private'));
}

function hubOptions(command: TerminalCommand): TerminalCommand {
  return command.option('--hub <address>', "the hub to publish on (the daemon's)").onDataFolder();
}
