import type { TerminalCommand } from '../shared/command.ts';
import { wholeNumber } from '../shared/numbers.ts';
import type { AppContext } from './app-daemon.ts';

const EXIT_CODES = '0 done, 1 failed, 2 bad arguments, 3 no daemon runs, 130 interrupted';
const NAME = 'the name of an app';
const DEFAULT_LINES = 1_000;

/** `robot-daemon app` */
export function appCommands(program: TerminalCommand): void {
  const app = program
    .sub('app', 'The apps of the running daemon')
    .onDataFolder()
    .examples(
      'robot-daemon app install ./my_app',
      'robot-daemon app start my_app --replace',
      'robot-daemon app logs --follow',
    )
    .exitCodes(EXIT_CODES);
  leaf(app, 'ls', 'Lists the installed apps').action(async (options, { paths }: TerminalCommand) => {
    const { list } = await import('./list.ts');
    await run(paths, (context) => list(context, options));
  });
  installCommand(app);
  runCommands(app);
  versionCommands(app);
}

/** `app install`, and its other name `install`. */
export function installCommand(parent: TerminalCommand): TerminalCommand {
  return leaf(parent, 'install <address>', 'Installs or updates an app, and waits until that is done', [
    'the address of an app: a Space of the hub, a git repository (https://…) or a folder, as its full path or one that begins with "." or ".."',
  ])
    .option('--revision <name>', 'a branch, tag or commit of it')
    .option(
      '--download-python',
      'lets uv download a Python, if the app needs another one than those that are installed',
    )
    .examples(
      'robot-daemon app install ada/hello-wave',
      'robot-daemon app install ./my_app',
      'robot-daemon app install https://git.example/my_app --revision v1.2',
    )
    .action(async (address: string, options, { paths }: TerminalCommand) => {
      const { install } = await import('./install.ts');
      await run(paths, (context) => install(context, address, options));
    });
}

function runCommands(app: TerminalCommand): void {
  leaf(app, 'start <app>', 'Starts an app, and waits until it runs or has failed', [NAME])
    .option('--replace', 'stop the running app first')
    .option('--wake-paid', 'wake endpoints of the app that cost money while they run')
    .examples('robot-daemon app start hello_wave --replace')
    .action(async (name: string, options, { paths }: TerminalCommand) => {
      const { start } = await import('./start.ts');
      await run(paths, (context) => start(context, name, options), name);
    });
  leaf(
    app,
    'stop [app]',
    'Stops the running app, and waits until it has ended and the robot is in its default position',
    ['its name, so that no other one is stopped'],
  )
    .option('--force', 'kill it without a grace period')
    .examples('robot-daemon app stop', 'robot-daemon app stop hello_wave --force')
    .action(async (name: string | undefined, options, { paths }: TerminalCommand) => {
      const { stop } = await import('./stop.ts');
      await run(paths, (context) => stop(context, name, options), name);
    });
  leaf(app, 'logs [app]', 'Prints the output of the running app, or of the last run', [
    'the app whose newest run is shown (the one that ran last)',
  ])
    .option('--run <id>', 'another run of it')
    .option('--lines <number>', 'the newest lines only', wholeNumber('--lines', 0), DEFAULT_LINES)
    .option('--follow', 'also the lines that come, until the run or Ctrl-C ends; with --json, a line of JSON for each')
    .examples('robot-daemon app logs --follow', 'robot-daemon app logs hello_wave --lines 20')
    .action(async (name: string | undefined, options, { paths }: TerminalCommand) => {
      const { logs } = await import('./logs.ts');
      await run(paths, (context) => logs(context, name, options), name);
    });
}

function versionCommands(app: TerminalCommand): void {
  leaf(app, 'update [app]', 'Updates an app from its source, or all that have a newer version there', [
    'the app to update (all)',
  ])
    .option(
      '--download-python',
      'lets uv download a Python, if the app needs another one than those that are installed',
    )
    .examples('robot-daemon app update', 'robot-daemon app update hello_wave')
    .action(async (name: string | undefined, options, { paths }: TerminalCommand) => {
      const { update } = await import('./update.ts');
      await run(paths, (context) => update(context, name, options), name);
    });
  leaf(app, 'rollback <app>', 'Returns to the earlier version of an app; a second time, to the newer one', [NAME])
    .examples('robot-daemon app rollback hello_wave')
    .action(async (name: string, options, { paths }: TerminalCommand) => {
      const { rollBack } = await import('./versions.ts');
      await run(paths, (context) => rollBack(context, name, options), name);
    });
  leaf(app, 'rm <app>', 'Asks, and then removes an app with its environment and the files that it saved', [NAME])
    .option('--yes', 'remove without asking')
    .examples('robot-daemon app rm hello_wave', 'robot-daemon app rm hello_wave --yes')
    .action(async (name: string, options, { paths }: TerminalCommand) => {
      const { remove } = await import('./versions.ts');
      await run(paths, (context) => remove(context, name, options), name);
    });
}

function leaf(
  parent: TerminalCommand,
  usage: string,
  description: string,
  nouns: readonly string[] = [],
): TerminalCommand {
  return parent
    .sub(usage, description, nouns)
    .option('--json', 'the result as JSON')
    .onDataFolder()
    .exitCodes(EXIT_CODES);
}

/** @param name the app that the command is about; undefined: none */
async function run(
  paths: TerminalCommand['paths'],
  work: (context: AppContext) => Promise<void>,
  name?: string,
): Promise<void> {
  const { onDaemon } = await import('./app-daemon.ts');
  const { onAppNamed } = await import('./app-named.ts');
  await onDaemon(paths, (context) => onAppNamed(name, context, work));
}
