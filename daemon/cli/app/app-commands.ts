import { DaemonError } from '../../client/daemon-error.ts';
import { DomainError } from '../../shared/domain-error.ts';
import { exitCodesOnDaemon, type TerminalCommand, wholeNumber } from '../shared/command.ts';
import type { OnDaemon } from '../shared/on-daemon.ts';

const NAME = 'the name of an app';
const DEFAULT_LINES = 1_000;
const DOWNLOAD_PYTHON = ['--download-python', 'let uv download a Python if no installed one suits the app'] as const;

const installed = () => import('./installed-apps.ts');
const runs = () => import('./runs.ts');

/** `robot-daemon app` */
export function appCommands(program: TerminalCommand): void {
  const app = program
    .sub('app', 'The apps of the running daemon')
    .summary('lists, installs, starts, stops, updates and removes apps')
    .onDataFolder()
    .examples(
      'robot-daemon app install ./my_app',
      'robot-daemon app start my_app --replace',
      'robot-daemon app logs --follow',
    )
    .exitCodes(exitCodesOnDaemon);
  command(app, 'ls', 'Lists the installed apps', async () => (await installed()).list);
  installCommand(app);
  runCommands(app);
  versionCommands(app);
}

/** `app install`, and its other name `install`. */
export function installCommand(parent: TerminalCommand): TerminalCommand {
  return command(
    parent,
    'install <address>',
    'Installs or updates an app, and waits until that is done',
    async () => (await installed()).install,
    ['the address of an app: a Space of the hub, a Git repository (https://…), or a folder (its full path, or ./…)'],
  )
    .option('--revision <name>', 'a branch, tag or commit of it')
    .option(...DOWNLOAD_PYTHON)
    .examples(
      'robot-daemon app install ada/hello-wave',
      'robot-daemon app install ./my_app',
      'robot-daemon app install https://git.example/my_app --revision v1.2',
    );
}

function runCommands(app: TerminalCommand): void {
  command(app, 'start <app>', 'Starts an app, and waits until it runs or has failed', async () => (await runs()).start)
    .option('--replace', 'stop the running app first')
    .option('--wake-paid', 'wake endpoints of the app that cost money while they run')
    .examples('robot-daemon app start hello_wave --replace');
  command(
    app,
    'stop [app]',
    'Stops the running app, and waits until it has ended and the robot is in its default position',
    async () => (await runs()).stop,
    ['its name: while another app runs, nothing is stopped'],
  )
    .option('--force', 'kill it without a grace period')
    .examples('robot-daemon app stop', 'robot-daemon app stop hello_wave --force');
  command(
    app,
    'logs [app]',
    'Prints the output of the running app, or of the last run',
    async () => (await runs()).logs,
    ['the app whose newest run is shown (the one that ran last)'],
  )
    .option('--run <id>', 'another run, by its id')
    .option('--lines <number>', 'the newest lines only', wholeNumber('--lines', 0), DEFAULT_LINES)
    .option('--follow', 'also new lines, until the run ends or Ctrl-C; with --json, one line of JSON for each')
    .examples('robot-daemon app logs --follow', 'robot-daemon app logs hello_wave --lines 20');
}

function versionCommands(app: TerminalCommand): void {
  command(
    app,
    'update [app]',
    'Updates an app from its source, or all that have a newer version there',
    async () => (await installed()).update,
    ['the app to update (all)'],
  )
    .option(...DOWNLOAD_PYTHON)
    .examples('robot-daemon app update', 'robot-daemon app update hello_wave');
  command(
    app,
    'rollback <app>',
    'Returns to the earlier version of an app; a second time, to the newer one',
    async () => (await installed()).rollBack,
  ).examples('robot-daemon app rollback hello_wave');
  command(
    app,
    'reset <app>',
    'Lists what an app has saved and its variables, asks, and then removes both; can be undone for a day',
    async () => (await import('./reset.ts')).reset,
  )
    .option('--undo', 'bring back what the last reset removed')
    .option('--yes', 'remove, or replace, without asking')
    .examples('robot-daemon app reset hello_wave', 'robot-daemon app reset hello_wave --undo');
  command(
    app,
    'rm <app>',
    'Asks, and then removes an app with its environment and the files that it saved',
    async () => (await installed()).remove,
  )
    .option('--yes', 'remove without asking')
    .examples('robot-daemon app rm hello_wave', 'robot-daemon app rm hello_wave --yes');
}

/** A command on the running daemon. @param load loads what it does, when it is called */
function command(
  parent: TerminalCommand,
  usage: string,
  description: string,
  load: () => Promise<(context: OnDaemon, ...given: never[]) => Promise<void>>,
  nouns: readonly string[] = [NAME],
): TerminalCommand {
  return parent.subOnDaemon(usage, description, nouns).does(async () => {
    const [work, { onDaemon }] = await Promise.all([load(), import('../shared/on-daemon.ts')]);
    return (paths, ...given) =>
      onDaemon(paths, (context) => work(context, ...given).catch((error) => withHint(error, given[0], context)));
  });
}

class NoSuchApp extends DomainError {}

/**
 * For an app that does not exist, suggests a similar one.
 * @param given the app that a person named, if it is a text
 * @throws NoSuchApp, or the error itself
 */
async function withHint(error: unknown, given: unknown, { client }: OnDaemon): Promise<never> {
  if (typeof given !== 'string' || !(error instanceof DaemonError) || error.status !== 404) throw error;
  const apps = await client.call('listApps');
  if (apps.some(({ name }) => name === given)) throw error;
  const meant = apps.find(({ name, title }) => [name, title].some((word) => plain(word) === plain(given)));
  const hint = meant ? `Did you mean ${meant.name}?` : '"robot-daemon app ls" lists the installed ones.';
  throw new NoSuchApp(`There is no installed app "${given}". ${hint}`);
}

/** A name as people remember it: `Hello wave` and `hello-wave` are `hello_wave`. */
const plain = (word: string) => word.toLowerCase().replace(/[\s-]+/g, '_');
