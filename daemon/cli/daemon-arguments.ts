import { isAbsolute, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { InstallerChoice } from '../apps/python/python-tools.ts';
import type { DaemonOptions, RobotChoice } from '../daemon-options.ts';
import type { SavedOptions } from '../shared/data-folder/data-folder-lock.ts';
import { defaultDataDir } from '../shared/files/data-paths.ts';
import { type LogLevel, logLevels } from '../shared/logger.ts';
import { BadArguments } from './shared/bad-arguments.ts';

export type DaemonArguments = Omit<
  DaemonOptions,
  'version' | 'resources' | 'commands' | 'dashboard' | 'secrets' | 'notifier' | 'forkNode'
>;

export const usage = `Usage: robot-daemon [options]
       robot-daemon status | stop | restart | doctor | install | model | endpoint | token | sign-in [--data-dir <folder>] [--help]

Runs the daemon with the robot on this machine's USB, or instead:
  --sim                    a simulated robot
  --emulator               emulated servos behind a real serial port
  --auto                   the robot if it is connected, else a simulated one until it is

  --serial-port <path>     the robot's serial port (found by its USB id)
  --startup-app <name>     the app to start at the first wake-up and at a touch of an antenna
  --port <number>          the port to listen on; 0: any free port (8000)
  --host <address>         the address to listen on (127.0.0.1)
  --data-dir <folder>      the folder for apps and data
  --python <program>       the preferred Python (the first suitable one on PATH)
  --installer <tool>       the installer: auto, uv or pip (auto)
  --install-minutes <n>    the time limit for an install (30)
  --hub <address>          the hub that apps come from
  --catalog <file>         a catalog file instead of the built-in one
  --llama-server <file>    the llama-server for models (on PATH, or downloaded); none: the bundled program only
  --llama-server-url <address>     the archive to install llama-server from (its project's release)
  --llama-server-sha256 <digest>   the checksum of that archive (that of the release)
  --log-level <level>      ${logLevels.join(', ')} (info)
  --no-wake-up-on-start    leave the robot asleep
  --help                   show this

Commands for the daemon on the data folder:
  status                   shows its address and what it is doing
  stop                     stops it, by force if it hangs
  restart                  stops it, and starts one with the same options
  doctor                   checks the data folder; --fix repairs it
  install                  installs or updates an app
  model                    lists and removes the files of models
  endpoint                 lists, asks, wakes, pauses and deletes endpoints
  token                    creates, lists and revokes the tokens to deploy models
  sign-in                  prints an address that signs a browser in

Exit codes: 0 stopped normally, 1 failed to start or to stop normally, 2 bad arguments.
`;

const installers: readonly InstallerChoice[] = ['auto', 'uv', 'pip'];

/** The robot backends by their option. */
const robots = { sim: 'simulation', emulator: 'emulator', auto: 'auto' } as const satisfies Record<string, RobotChoice>;

/**
 * @param defaultRobot the robot backend unless an option names one
 * @returns null for --help
 * @throws BadArguments
 */
export function parseDaemonArguments(
  argv: readonly string[],
  defaultRobot: RobotChoice = 'lite',
): DaemonArguments | null {
  const values = parse(argv);
  if (values.help) return null;
  const python = values.python ?? null;
  return {
    port: portFrom(values.port),
    host: values.host.trim() || fail('--host needs an address, like 127.0.0.1.'),
    dataDir: resolve(values['data-dir'] || defaultDataDir()),
    python: python?.includes('/') && !isAbsolute(python) ? resolve(python) : python,
    installer: oneOf(installers, values.installer, '--installer'),
    installWithinMs: minutesFrom(values['install-minutes']) * 60_000,
    hubUrl: hubFrom(values.hub),
    catalogFile: values.catalog ? resolve(values.catalog) : null,
    ...llamaServerFrom(values),
    logLevel: oneOf<LogLevel>(logLevels, values['log-level'], '--log-level'),
    ...robotFrom(values, defaultRobot),
    startupApp: values['startup-app']?.trim() || null,
    wakeUpOnStart: !values['no-wake-up-on-start'],
  };
}

/** Turns saved options back into command-line arguments. */
const optionArguments: { readonly [Name in keyof DaemonArguments]-?: (value: SavedOptions[string]) => string[] } = {
  port: (port) => ['--port', String(port)],
  host: (host) => ['--host', String(host)],
  dataDir: (folder) => ['--data-dir', String(folder)],
  python: (program) => (program === null ? [] : ['--python', String(program)]),
  installer: (tool) => ['--installer', String(tool)],
  installWithinMs: (ms) => ['--install-minutes', String(Number(ms) / 60_000)],
  hubUrl: (address) => (address === null ? [] : ['--hub', String(address)]),
  catalogFile: (file) => (file === null ? [] : ['--catalog', String(file)]),
  llamaServer: (file) => (file === null ? [] : ['--llama-server', String(file)]),
  llamaServerUrl: (address) => (address === null ? [] : ['--llama-server-url', String(address)]),
  llamaServerSha256: (digest) => (digest === null ? [] : ['--llama-server-sha256', String(digest)]),
  logLevel: (level) => ['--log-level', String(level)],
  robot: (choice) => Object.entries(robots).flatMap(([name, robot]) => (robot === choice ? [`--${name}`] : [])),
  serialPort: (path) => (path === null ? [] : ['--serial-port', String(path)]),
  startupApp: (name) => (name === null ? [] : ['--startup-app', String(name)]),
  wakeUpOnStart: (awake) => (awake === false ? ['--no-wake-up-on-start'] : []),
};

/** @returns the command line for saved options; the caller parses it, since files on disk are not trusted */
export function argumentsFor(saved: SavedOptions): string[] {
  return Object.entries(optionArguments).flatMap(([name, write]) => {
    const value = saved[name];
    return value === undefined ? [] : write(value);
  });
}

function parse(argv: readonly string[]) {
  try {
    return parseArgs({
      args: [...argv],
      options: {
        sim: { type: 'boolean', default: false },
        emulator: { type: 'boolean', default: false },
        auto: { type: 'boolean', default: false },
        'serial-port': { type: 'string' },
        'startup-app': { type: 'string' },
        port: { type: 'string', default: '8000' },
        host: { type: 'string', default: '127.0.0.1' },
        'data-dir': { type: 'string' },
        python: { type: 'string' },
        installer: { type: 'string', default: 'auto' },
        'install-minutes': { type: 'string', default: '30' },
        hub: { type: 'string' },
        catalog: { type: 'string' },
        'llama-server': { type: 'string' },
        'llama-server-url': { type: 'string' },
        'llama-server-sha256': { type: 'string' },
        'log-level': { type: 'string', default: 'info' },
        'no-wake-up-on-start': { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    }).values;
  } catch (error) {
    throw new BadArguments((error as Error).message.split('. ')[0] ?? 'Bad arguments');
  }
}

function robotFrom(
  values: Partial<Record<keyof typeof robots, boolean>> & { 'serial-port'?: string | undefined },
  defaultRobot: RobotChoice,
): Pick<DaemonArguments, 'robot' | 'serialPort'> {
  const chosen = (Object.keys(robots) as (keyof typeof robots)[]).filter((name) => values[name]);
  if (chosen.length > 1) return fail(`${chosen.map((name) => `--${name}`).join(' and ')} exclude each other.`);
  const [name] = chosen;
  const serialPort = values['serial-port']?.trim() || null;
  if (serialPort !== null && (name === 'sim' || name === 'emulator')) {
    return fail(`--serial-port is for a real robot, not for --${name}.`);
  }
  return { robot: name ? robots[name] : serialPort !== null ? 'lite' : defaultRobot, serialPort };
}

function portFrom(text: string): number {
  const port = Number(text);
  if (/^\d+$/.test(text) && port <= 65_535) return port;
  return fail(`--port must be a number from 0 to 65535, not "${text}".`);
}

function minutesFrom(text: string): number {
  const minutes = Number(text);
  if (minutes > 0 && minutes <= 24 * 60) return minutes;
  return fail(`--install-minutes must be a number of minutes, at most a day, not "${text}".`);
}

function hubFrom(text: string | undefined): string | null {
  if (text === undefined) return null;
  const url = URL.parse(text);
  if (isWebAddress(url) && !url.search) return url.href.replace(/\/+$/, '');
  return fail(`--hub must be an address like https://hub.example, not "${text}".`);
}

type LlamaServerValues = { readonly [Name in `llama-server${'' | '-url' | '-sha256'}`]?: string | undefined };

function llamaServerFrom(
  values: LlamaServerValues,
): Pick<DaemonArguments, 'llamaServer' | 'llamaServerUrl' | 'llamaServerSha256'> {
  const { 'llama-server': program, 'llama-server-url': address, 'llama-server-sha256': digest } = values;
  const url = address === undefined ? null : URL.parse(address);
  if (address !== undefined && !isWebAddress(url)) {
    return fail(`--llama-server-url must be an address like https://mirror.example/a.tar.gz, not "${address}".`);
  }
  if (digest !== undefined && !/^[0-9a-f]{64}$/i.test(digest)) {
    return fail(`--llama-server-sha256 must have 64 hexadecimal digits, not "${digest}".`);
  }
  return {
    llamaServer: program === 'none' ? program : program ? resolve(program) : null,
    llamaServerUrl: url?.href ?? null,
    llamaServerSha256: digest?.toLowerCase() ?? null,
  };
}

const isWebAddress = (url: URL | null): url is URL =>
  (url?.protocol === 'https:' || url?.protocol === 'http:') && !url.username;

function oneOf<T extends string>(allowed: readonly T[], value: string, name: string): T {
  return allowed.find((one) => one === value) ?? fail(`${name} must be one of ${allowed.join(', ')}, not "${value}".`);
}

function fail(message: string): never {
  throw new BadArguments(message);
}
