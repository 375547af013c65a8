import { isIP } from 'node:net';
import { isAbsolute, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { InstallerChoice } from '../apps/python/python-tools.ts';
import { placeFrom } from '../containers/finding/engine-places.ts';
import type { DaemonOptions, RobotChoice } from '../daemon-options.ts';
import type { Instance, SavedOptions } from '../shared/data-folder/data-folder-lock.ts';
import { defaultDataDir } from '../shared/files/data-paths.ts';
import { type LogLevel, logLevels } from '../shared/logger.ts';
import { BadArguments } from './shared/errors.ts';

export type DaemonArguments = NonNullable<ReturnType<typeof parseDaemonArguments>>;

/** An option of the daemon, in the form of Node's parser, which ignores what it does not know. */
export interface DaemonFlag {
  readonly type: 'boolean' | 'string';
  readonly text: string;
  /** The name of its value, `folder`. */
  readonly value?: string;
  /** Its value when it is not given. */
  readonly default?: string;
  /** The meaning of its absence where that has no value, for a person. */
  readonly unless?: string;
  readonly choices?: readonly string[];
  /** The heading that it is listed below. */
  readonly group?: 'Robot:';
}

type More = Partial<Pick<DaemonFlag, 'default' | 'unless' | 'choices' | 'group'>>;
const flag = (text: string, more?: Pick<DaemonFlag, 'group'>) => ({ type: 'boolean', text, ...more }) as const;
const valued = <const M extends More>(value: string, text: string, more?: M) =>
  ({ type: 'string', value, text, ...(more as M) }) as const;

/**
 * The options of the daemon, each described once. The start parses them with Node's own parser: loading the one of the
 * commands, with its tree, takes 25 ms of processor time, more than half of what all before it takes. Usage texts, completion and the options that a restart repeats come from here too.
 */
export const daemonFlags = {
  sim: flag("a simulated robot, instead of the one on this machine's USB", { group: 'Robot:' }),
  emulator: flag('emulated servos behind a real serial port', { group: 'Robot:' }),
  auto: flag('the robot if it is connected, else a simulated one until it is', { group: 'Robot:' }),
  'serial-port': valued('path', "the robot's serial port", { unless: 'found by its USB id', group: 'Robot:' }),
  'startup-app': valued('app', 'the app to start at the first wake-up and at a touch of an antenna'),
  port: valued('number', 'the port to listen on; 0: any free port', { default: '8000' }),
  host: valued('address', 'the address to listen on', { default: '127.0.0.1' }),
  'require-token': flag('require a token for every request, from this machine too'),
  'behind-proxy': valued('address', 'the IP address of a proxy in front of the daemon', { unless: 'none' }),
  'data-dir': valued('folder', 'the folder for apps and data'),
  python: valued('program', 'the preferred Python', { unless: 'the first suitable one on PATH' }),
  installer: valued('tool', 'the installer of Python packages', { choices: ['auto', 'uv', 'pip'], default: 'auto' }),
  'install-minutes': valued('n', 'the time limit for an install', { default: '30' }),
  hub: valued('address', 'the hub that apps come from'),
  catalog: valued('file', 'a catalog file instead of the built-in one'),
  'llama-server': valued('file', 'the llama-server for models; none: the bundled program only', {
    unless: 'on PATH, or downloaded',
  }),
  'llama-server-url': valued('address', 'the archive to install llama-server from', {
    unless: "its project's release",
  }),
  'llama-server-sha256': valued('digest', 'the checksum of that archive', { unless: 'that of the release' }),
  'container-engine': valued('socket', 'the socket of Docker or Podman, for models; none: no containers', {
    unless: 'the first that answers',
  }),
  'log-level': valued('level', 'what the log tells', { choices: logLevels, default: 'info' }),
  'no-wake-up-on-start': flag('leave the robot asleep'),
} satisfies Record<string, DaemonFlag>;

/** An argument that the daemon does not have; it may be a command. */
export class UnknownArgument extends BadArguments {}

/** The robot backends by their option. */
const robots = { sim: 'simulation', emulator: 'emulator', auto: 'auto' } as const satisfies Record<string, RobotChoice>;

/**
 * @param defaultRobot the robot backend unless an option names one
 * @returns null for --help
 * @throws BadArguments
 */
export function parseDaemonArguments(argv: readonly string[], defaultRobot: RobotChoice = 'lite') {
  const values = parse(argv);
  if (values.help) return null;
  const python = values.python ?? null;
  return {
    port: portFrom(values.port),
    host: values.host.trim() || fail('--host needs an address, like 127.0.0.1.'),
    requireToken: values['require-token'] ?? false,
    behindProxy: proxyFrom(values['behind-proxy']),
    dataDir: resolve(values['data-dir'] || defaultDataDir()),
    python: python?.includes('/') && !isAbsolute(python) ? resolve(python) : python,
    installer: oneOf<InstallerChoice>(daemonFlags.installer.choices, values.installer, '--installer'),
    installWithinMs: minutesFrom(values['install-minutes']) * 60_000,
    hubUrl: hubFrom(values.hub),
    catalogFile: values.catalog ? resolve(values.catalog) : null,
    ...llamaServerFrom(values),
    containerEngine: containerEngineFrom(values['container-engine']),
    logLevel: oneOf<LogLevel>(daemonFlags['log-level'].choices, values['log-level'], '--log-level'),
    ...robotFrom(values, defaultRobot),
    startupApp: values['startup-app']?.trim() || null,
    wakeUpOnStart: !values['no-wake-up-on-start'],
  };
}

/** @returns the command line for saved options; the caller parses it, since files on disk are not trusted */
export function argumentsFor(saved: SavedOptions): string[] {
  const { hubUrl, catalogFile, installWithinMs, robot, wakeUpOnStart, ...others } = saved;
  const values: Readonly<Record<string, SavedOptions[string] | undefined>> = {
    ...others, // are named like their flags
    hub: hubUrl,
    catalog: catalogFile,
    installMinutes: installWithinMs === undefined ? undefined : Number(installWithinMs) / 60_000,
    ...Object.fromEntries(Object.entries(robots).map(([flag, choice]) => [flag, choice === robot])),
    noWakeUpOnStart: wakeUpOnStart === false,
  };
  return Object.entries(values).flatMap(([name, value]) => {
    const flag = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    const { type } = (daemonFlags as Readonly<Record<string, DaemonFlag | undefined>>)[flag] ?? {};
    if (type === 'boolean') return value === true ? [`--${flag}`] : [];
    return type === undefined || value === undefined || value === null ? [] : [`--${flag}`, String(value)];
  });
}

/** The options of a daemon that was started before. Files on disk are not trusted. @throws BadArguments */
export function parseSavedOptions(saved: SavedOptions): DaemonArguments {
  const parsed = parseDaemonArguments(argumentsFor(saved));
  if (!parsed) throw new BadArguments('The saved options ask for help.');
  return parsed;
}

/** An option that a daemon was started with, if it is a text; null: there is none. */
export function savedText(instance: Instance | null, name: string): string | null {
  const value = instance?.options?.[name];
  return typeof value === 'string' ? value : null;
}

const unknown = new Set<string | undefined>(['ERR_PARSE_ARGS_UNKNOWN_OPTION', 'ERR_PARSE_ARGS_UNEXPECTED_POSITIONAL']);

function parse(argv: readonly string[]) {
  try {
    return parseArgs({ args: [...argv], options: { ...daemonFlags, help: { type: 'boolean', short: 'h' } } }).values;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const sentence = message.split('. ')[0] ?? 'Bad arguments';
    throw unknown.has(code) ? new UnknownArgument(sentence) : new BadArguments(sentence);
  }
}

type DaemonFlagValues = ReturnType<typeof parse>;

function robotFrom(values: DaemonFlagValues, defaultRobot: RobotChoice): Pick<DaemonOptions, 'robot' | 'serialPort'> {
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

function proxyFrom(text: string | undefined): string | null {
  if (text === undefined) return null;
  const address = text.trim().replace(/^\[(.*)\]$/, '$1');
  if (isIP(address) !== 0 && !address.includes('%')) return address;
  return fail(`--behind-proxy must be the IP address that the proxy connects from, like 127.0.0.1, not "${text}".`);
}

function minutesFrom(text: string): number {
  const minutes = Number(text);
  if (minutes > 0 && minutes <= 24 * 60) return minutes;
  return fail(`--install-minutes must be a number of minutes, at most a day, not "${text}".`);
}

export function hubFrom(text: string | undefined): string | null {
  if (text === undefined) return null;
  const url = URL.parse(text);
  if (isWebAddress(url) && !url.search) return url.href.replace(/\/+$/, '');
  return fail(`--hub must be an address like https://hub.example, not "${text}".`);
}

function llamaServerFrom(
  values: DaemonFlagValues,
): Pick<DaemonOptions, 'llamaServer' | 'llamaServerUrl' | 'llamaServerSha256'> {
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

function containerEngineFrom(text: string | undefined): string | null {
  if (!text || text === 'none') return text || null;
  const address = text.includes('://') || text.startsWith('\\\\') ? text : resolve(text);
  if (placeFrom(address) !== null) return address;
  return fail(`--container-engine must be a socket of this machine, like /run/podman/podman.sock, not "${text}".`);
}

const isWebAddress = (url: URL | null): url is URL =>
  (url?.protocol === 'https:' || url?.protocol === 'http:') && !url.username && !url.password;

function oneOf<T extends string>(allowed: readonly T[], value: string, name: string): T {
  return allowed.find((one) => one === value) ?? fail(`${name} must be one of ${allowed.join(', ')}, not "${value}".`);
}

function fail(message: string): never {
  throw new BadArguments(message);
}
