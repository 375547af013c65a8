import { isAbsolute, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { InstallerChoice } from '../apps/python/python-tools.ts';
import type { DaemonOptions, RobotChoice } from '../daemon-options.ts';
import type { SavedOptions } from '../shared/data-folder/data-folder-lock.ts';
import { DomainError } from '../shared/domain-error.ts';
import { defaultDataDir } from '../shared/files/data-paths.ts';
import { type LogLevel, logLevels } from '../shared/logger.ts';

/** The command line does not say something that can be done. */
export class BadArguments extends DomainError {}

export type DaemonArguments = Omit<DaemonOptions, 'version' | 'resources' | 'dashboard' | 'secrets'>;

export const usage = `Usage: robot-daemon [options]
       robot-daemon status | stop | restart | doctor | token [--data-dir <folder>] [--help]

Drives the robot on this machine's USB, or instead:
  --sim                    a simulated robot
  --emulator               a robot whose servos are programs, behind a real serial port
  --auto                   the robot if it is plugged in, else a simulated one until it is

  --serial-port <path>     the robot's serial port (found by its USB id)
  --startup-app <name>     starts when the robot first wakes up, and when its antenna is touched
  --port <number>          where to listen, 0 takes any free port (8000)
  --host <address>         the address to listen at (127.0.0.1)
  --data-dir <folder>      where apps and records are kept
  --python <program>       the Python that apps run on (the first good one on PATH)
  --installer <tool>       what installs apps: auto, uv or pip (auto)
  --install-minutes <n>    how long the install of an app may take (30)
  --hub <address>          the hub that apps come from
  --catalog <file>         a catalog of models instead of the shipped one
  --log-level <level>      ${logLevels.join(', ')} (info)
  --no-wake-up-on-start    leave the robot asleep
  --help                   show this

Commands, about the daemon that has the data folder:
  status                   where it is and what it does
  stop                     ends it, by force if it hangs
  restart                  ends it so, and starts one with the same options
  doctor                   what is on the disk and what is broken; --fix mends it
  token                    makes, lists and revokes tokens: who may deploy models

Ends with 0 after an end in order, 1 when it could not start or not end in order, 2 for bad arguments.
`;

const installers: readonly InstallerChoice[] = ['auto', 'uv', 'pip'];

/** What drives the joints, by the option that asks for it. */
const robots = { sim: 'simulation', emulator: 'emulator', auto: 'auto' } as const satisfies Record<string, RobotChoice>;

/**
 * @param otherwise what drives the joints where the command line does not say
 * @returns null when only help was asked for
 * @throws BadArguments
 */
export function parseDaemonArguments(argv: readonly string[], otherwise: RobotChoice = 'lite'): DaemonArguments | null {
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
    logLevel: oneOf<LogLevel>(logLevels, values['log-level'], '--log-level'),
    ...robotFrom(values, otherwise),
    startupApp: values['startup-app']?.trim() || null,
    wakeUpOnStart: !values['no-wake-up-on-start'],
  };
}

/** How to ask for one of the options on the command line. */
const written: { readonly [Name in keyof DaemonArguments]-?: (value: SavedOptions[string]) => string[] } = {
  port: (port) => ['--port', String(port)],
  host: (host) => ['--host', String(host)],
  dataDir: (folder) => ['--data-dir', String(folder)],
  python: (program) => (program === null ? [] : ['--python', String(program)]),
  installer: (tool) => ['--installer', String(tool)],
  installWithinMs: (ms) => ['--install-minutes', String(Number(ms) / 60_000)],
  hubUrl: (address) => (address === null ? [] : ['--hub', String(address)]),
  catalogFile: (file) => (file === null ? [] : ['--catalog', String(file)]),
  logLevel: (level) => ['--log-level', String(level)],
  robot: (choice) => Object.entries(robots).flatMap(([name, robot]) => (robot === choice ? [`--${name}`] : [])),
  serialPort: (path) => (path === null ? [] : ['--serial-port', String(path)]),
  startupApp: (name) => (name === null ? [] : ['--startup-app', String(name)]),
  wakeUpOnStart: (awake) => (awake === false ? ['--no-wake-up-on-start'] : []),
};

/** The command line that asks for the same again; to be parsed as any other, for what is on disk is never trusted. */
export function argumentsFor(asked: SavedOptions): string[] {
  return Object.entries(written).flatMap(([name, write]) => {
    const value = asked[name];
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
  otherwise: RobotChoice,
): Pick<DaemonArguments, 'robot' | 'serialPort'> {
  const asked = (Object.keys(robots) as (keyof typeof robots)[]).filter((name) => values[name]);
  if (asked.length > 1) return fail(`${asked.map((name) => `--${name}`).join(' and ')} do not go together.`);
  const [name] = asked;
  const serialPort = values['serial-port']?.trim() || null;
  if (serialPort !== null && (name === 'sim' || name === 'emulator')) {
    return fail(`--serial-port is for a real robot, not for --${name}.`);
  }
  return { robot: name ? robots[name] : serialPort !== null ? 'lite' : otherwise, serialPort };
}

function portFrom(text: string): number {
  const port = Number(text);
  if (/^\d+$/.test(text) && port <= 65_535) return port;
  return fail(`--port is a number from 0 to 65535, not "${text}".`);
}

function minutesFrom(text: string): number {
  const minutes = Number(text);
  if (minutes > 0 && minutes <= 24 * 60) return minutes;
  return fail(`--install-minutes is a number of minutes, at most a day, not "${text}".`);
}

function hubFrom(text: string | undefined): string | null {
  if (text === undefined) return null;
  const url = URL.parse(text);
  if ((url?.protocol === 'https:' || url?.protocol === 'http:') && !url.username && !url.search) {
    return url.href.replace(/\/+$/, '');
  }
  return fail(`--hub is an address like https://hub.example, not "${text}".`);
}

function oneOf<T extends string>(allowed: readonly T[], value: string, name: string): T {
  return allowed.find((one) => one === value) ?? fail(`${name} is one of ${allowed.join(', ')}, not "${value}".`);
}

function fail(message: string): never {
  throw new BadArguments(message);
}
