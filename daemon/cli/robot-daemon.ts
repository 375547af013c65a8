import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Option } from 'commander';
import { CODE_MINUTES } from '../access/sign-in-codes.ts';
import { appCommands, installCommand } from './app/app-commands.ts';
import { completionCommands } from './completion/completion-commands.ts';
import { type DaemonFlag, daemonFlags } from './daemon-arguments.ts';
import { endpointCommands } from './endpoint/endpoint-commands.ts';
import { projectVersion } from './project.ts';
import { exitCodesOnDaemon, TerminalCommand } from './shared/command.ts';
import { BadArguments } from './shared/errors.ts';
import { endWithReader } from './shared/interruptible.ts';

/** The program `robot-daemon` with all its commands; what they do is loaded when they are called. */
export function robotDaemon(projectDir: string): TerminalCommand {
  const program = TerminalCommand.program('robot-daemon')
    .usage('[options]\n       robot-daemon <command> [options]')
    .description('Runs the daemon, or looks after the one that runs')
    .examples(
      'robot-daemon --sim',
      'robot-daemon app install ada/hello-wave',
      'robot-daemon app start hello_wave',
      'robot-daemon help app',
    )
    .exitCodes('0 stopped normally, 1 failed to start or to stop normally, 2 bad arguments');
  for (const option of Object.entries<DaemonFlag>(daemonFlags).map(optionOf)) program.addOption(option);
  program.hook('preSubcommand', (_, command) => refuseForeignOptions(program, command.name()));
  daemonCommands(program, projectDir);
  appCommands(program);
  installCommand(program).summary('another name of app install');
  robotCommands(program);
  endpointCommands(program);
  modelCommands(program);
  graphicsCardCommands(program);
  tokenCommands(program);
  sdkCommands(program, projectDir);
  guardCommand(program, projectDir);
  completionCommands(program, { asksDaemon: true });
  return program;
}

function optionOf([name, { text, value, default: otherwise, unless = otherwise, choices, group }]: [
  string,
  DaemonFlag,
]): Option {
  const flags = value === undefined ? `--${name}` : `--${name} <${value}>`;
  const option = new Option(flags, text).helpGroup(group ?? 'Options:');
  if (choices) option.choices(choices);
  return unless === undefined ? option : option.default(undefined, unless);
}

/** Of the options of the daemon, those that start one, a command takes the data folder alone. */
function refuseForeignOptions(program: TerminalCommand, command: string): void {
  const given = program.options.find(
    (option) => option.long !== '--data-dir' && program.getOptionValueSource(option.attributeName()) === 'cli',
  );
  if (given) throw new BadArguments(`${given.long} is for the start of a daemon, not for ${command}.`);
}

function daemonCommands(program: TerminalCommand, projectDir: string): void {
  program
    .sub('status', 'Shows the address of the daemon on the data folder, and what it is doing')
    .option('--json', 'the same as JSON; graphics cards as they were last measured')
    .onDataFolder()
    .exitCodes('0 it runs, 1 it does not answer, 2 bad arguments, 3 no daemon runs')
    .does(async () => (await import('./status.ts')).status);
  program
    .sub(
      'stop',
      'Stops the daemon on the data folder: its app stops and the robot folds. A daemon that still runs after 10 s is ' +
        'killed, with its child processes. The window of Robot Desktop closes with its daemon',
    )
    .summary('stops the daemon, by force if it hangs')
    .onDataFolder()
    .exitCodes('0 no daemon runs any more, 1 it could not be stopped, 2 bad arguments')
    .does(async () => (await import('./stop.ts')).stop);
  program
    .sub(
      'restart',
      'Stops the daemon as "robot-daemon stop" does, and starts one with the same options at the same address. The new ' +
        'one runs in this terminal until Ctrl-C; for a daemon of the window, Robot Desktop opens again. If no daemon ' +
        'runs, the options of the last one apply',
    )
    .summary('stops the daemon, and starts one with the same options')
    .onDataFolder()
    .exitCodes('that of the new daemon; 1 the old one could not be stopped, 2 bad arguments')
    .action(async (_, { paths }: TerminalCommand) => (await import('./restart.ts')).restart(paths, projectDir));
  program
    .sub('doctor', 'Checks the data folder: disk use, and what is broken')
    .option(
      '--fix',
      'repair what can be repaired; nothing that a user made is lost. While a daemon runs, only apps are installed again ' +
        'or rolled back: stop it for the rest',
    )
    .option('--json', 'the same as JSON')
    .onDataFolder()
    .examples('robot-daemon doctor', 'robot-daemon doctor --fix')
    .exitCodes('0 nothing is broken (any more), 1 something is broken, 2 bad arguments')
    .action(async (options, { paths }: TerminalCommand) =>
      (await import('./doctor.ts')).doctor({ paths, projectDir }, options),
    );
  program
    .sub(
      'report [file]',
      'Makes a report of a problem, a text file to attach to a question: versions, a check of the installation, the last ' +
        'jobs and runs, the log of the daemon. Tokens, passwords, values of variables, home folders and your name are ' +
        'masked as far as they can be recognized. It is sent nowhere. Works with and without a running daemon',
      ['the file to save it in (robot-desktop-problem-<time>.txt in this folder)'],
    )
    .summary('makes a report of a problem, which is sent nowhere')
    .option('--with-output', 'also the last lines of the apps that crashed')
    .option('--without <part>', 'leave a part out: system, apps, check, jobs, runs, log; repeatable', appended)
    .option('--json', 'print it as JSON instead, with every part')
    .onDataFolder()
    .examples('robot-daemon report', 'robot-daemon report problem.txt --with-output --without runs')
    .exitCodes('0 saved, 1 failed, 2 bad arguments, 130 interrupted')
    .action(async (file: string | undefined, options, { paths }: TerminalCommand) =>
      (await import('./report.ts')).report({ paths, projectDir }, file, options),
    );
  program
    .sub(
      'sign-in',
      `Prints an address that signs a browser in. It works once, within ${CODE_MINUTES} minutes; one that was printed before ` +
        'no longer works. The browser stays signed in until it is unused for 30 days, or its session is ended in Settings',
    )
    .summary('prints an address that signs a browser in')
    .onDataFolder()
    .exitCodes('0 done, 1 failed, 2 bad arguments, 3 no daemon runs')
    .does(async () => (await import('./sign-in.ts')).signIn);
}

function robotCommands(program: TerminalCommand): void {
  const robot = program
    .sub('robot', 'The robot of the running daemon: wakes it, puts it to sleep, stops it, and plays its moves')
    .summary('wakes the robot, puts it to sleep, plays its moves')
    .onDataFolder()
    .examples('robot-daemon robot wake', 'robot-daemon robot play cheerful1', 'robot-daemon robot sleep')
    .exitCodes(exitCodesOnDaemon);
  const load = () => import('./robot.ts');
  robot
    .subOnDaemon('wake', 'Switches the motors on, and waits until the robot stands')
    .does(async () => (await load()).wake);
  robot.subOnDaemon('sleep', 'Folds the robot, and switches its motors off').does(async () => (await load()).sleep);
  robot
    .subOnDaemon('stop', 'Stops any motion at once, whichever program moves the robot')
    .does(async () => (await load()).stop);
  robot.subOnDaemon('moves', 'Lists the moves of the robot').does(async () => (await load()).listMoves);
  robot
    .subOnDaemon('play <move>', 'Plays a move of the robot', ['the name of a move: see robot-daemon robot moves'])
    .does(async () => (await load()).play);
}

function modelCommands(program: TerminalCommand): void {
  const model = program
    .sub(
      'model',
      'The files of models on this machine: lists them with the endpoints that use them, and removes one that no ' +
        'endpoint uses. Works with and without a running daemon',
    )
    .summary('lists and removes the files of models')
    .onDataFolder()
    .exitCodes('0 done, 1 failed, 2 bad arguments');
  model
    .sub('ls', 'Lists the files of models')
    .option('--json', 'the result as JSON')
    .onDataFolder()
    .does(async () => (await import('./model.ts')).listModels);
  model
    .sub('rm <id>', 'Removes a file, also when its download is not complete', [
      'the id of a file: see robot-daemon model ls',
    ])
    .option('--json', 'the result as JSON')
    .onDataFolder()
    .does(async () => (await import('./model.ts')).removeModel);
}

function graphicsCardCommands(program: TerminalCommand): void {
  const card = program
    .sub(
      'graphics-card',
      'The graphics cards that models can use: lists them, lets models use them or not, and looks for them again',
    )
    .summary('lists the graphics cards, and lets models use them or not')
    .onDataFolder()
    .examples('robot-daemon graphics-card ls', 'robot-daemon graphics-card off', 'robot-daemon graphics-card try-again')
    .exitCodes(exitCodesOnDaemon);
  const load = () => import('./graphics-card.ts');
  card
    .subOnDaemon('ls', 'Measures the graphics cards, and lists them with what uses them')
    .does(async () => (await load()).listCards);
  card
    .subOnDaemon('on', 'Lets models use the graphics cards, from their next start')
    .does(async () => (await load()).switchOn);
  card
    .subOnDaemon('off', 'Makes models run on the processor, from their next start')
    .does(async () => (await load()).switchOff);
  card
    .subOnDaemon('try-again', 'Looks for the graphics cards again, after one has failed or a driver was installed')
    .exitCodes('0 models can use one, 1 they cannot, or it failed, 2 bad arguments, 3 no daemon runs, 130 interrupted')
    .does(async () => (await load()).tryAgain);
}

function sdkCommands(program: TerminalCommand, projectDir: string): void {
  const sdk = program
    .sub('sdk', 'The Python SDK for an environment of your own')
    .summary('prints the file of the Python SDK, for pip and editors')
    .onDataFolder()
    .exitCodes('0 printed, 1 failed, 2 bad arguments');
  sdk
    .sub(
      'path',
      'Prints the file of the Python SDK that pip and uv install, for an environment of your own: your editor then knows ' +
        'the package robot, and tests run. Needs no package index, and no daemon',
    )
    .onDataFolder()
    .examples(
      'pip install "$(robot-daemon sdk path)"',
      'pip install "$(robot-daemon sdk path)[baseline]"   # also numpy, scipy, fastapi and others, from the index',
      'pip install --no-build-isolation -e .              # then the app in this folder, if other programs import it',
    )
    .action(async (_, { paths }: TerminalCommand) => (await import('./sdk.ts')).printSdkPath(paths, projectDir));
}

/** Started by programs, and not listed among the commands of users. */
function guardCommand(program: TerminalCommand, projectDir: string): void {
  const guard = new TerminalCommand('guard')
    .description(
      'The guardian of a daemon. Robot Desktop starts it beside its window, and robot-daemon with the first model that ' +
        'needs it. Its standard input says which daemon to guard. It waits, and costs nothing, until that daemon ends. If ' +
        'the daemon could not do so before it ended, it stops the app and the models, and folds the robot. It is of no ' +
        'use in a terminal',
    )
    .exitCodes(
      '0 the daemon ended in order or the rest is done, 1 it could not be done, 2 it was started in a terminal',
    )
    .action(async () => void (await import(pathToFileURL(join(projectDir, 'dist', 'node', 'guard.cjs')).href)));
  program.addCommand(guard, { hidden: true });
}

/** Runs a command of `robot-daemon`, or prints its help. */
export async function runCommand(argv: readonly string[], projectDir: string): Promise<void> {
  // `restart` becomes the daemon, which goes on without a terminal.
  if (argv[0] !== 'restart') endWithReader();
  await robotDaemon(projectDir).run(argv, await projectVersion(projectDir));
}

const EXIT_CODES = '0 done, 1 failed, 2 bad arguments';

/** `robot-daemon token` */
function tokenCommands(program: TerminalCommand): void {
  const token = program
    .sub(
      'token',
      'Creates, lists and revokes the tokens of the daemon on the data folder, running or not. Changes apply at once',
    )
    .summary('creates, lists and revokes tokens')
    .onDataFolder()
    .exitCodes(EXIT_CODES);
  token
    .sub('create [name]', 'Creates a token. It is shown once; only its hash is saved', ['its name (token-1)'])
    .option('--scope <scope>', scopes, appended)
    .option('--namespace <name>', 'where it may deploy; repeatable (everywhere)', appended)
    .onDataFolder()
    .examples(
      'TOKEN=$(robot-daemon token create)',
      'robot-daemon token create ci --scope deploy --namespace lab',
      'robot-daemon token create phone --scope daemon',
    )
    .exitCodes(EXIT_CODES)
    .does(async () => (await import('./token.ts')).createToken);
  token
    .sub('list', 'Lists the tokens, without their text')
    .option('--json', 'the list as JSON')
    .onDataFolder()
    .exitCodes(EXIT_CODES)
    .does(async () => (await import('./token.ts')).listTokens);
  token
    .sub('revoke <name>', 'Revokes a token; its endpoints stay', ['the name of the token'])
    .onDataFolder()
    .exitCodes(EXIT_CODES)
    .does(async () => (await import('./token.ts')).revokeToken);
}

const scopes = `what it may do; repeatable. "deploy", the default: create, change and use endpoints. "daemon": use the \
daemon from another machine. "endpoint:<namespace>/<name>": use one endpoint`;

/** For an option that can be given several times. */
const appended = (value: string, earlier: readonly string[] = []): readonly string[] => [...earlier, value];
