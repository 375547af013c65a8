import { isIP } from 'node:net';
import { isAbsolute, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { InstallerChoice } from '../apps/python/python-tools.ts';
import { placeFrom } from '../containers/finding/engine-places.ts';
import type { DaemonOptions, RobotChoice } from '../daemon-options.ts';
import type { SavedOptions } from '../shared/data-folder/data-folder-lock.ts';
import { defaultDataDir } from '../shared/files/data-paths.ts';
import type { LogLevel } from '../shared/logger.ts';
import { type DaemonFlag, type DaemonFlagValues, daemonFlags } from './daemon-flags.ts';
import { BadArguments } from './shared/bad-arguments.ts';

export type DaemonArguments = Omit<
  DaemonOptions,
  | 'version'
  | 'resources'
  | 'commands'
  | 'dashboard'
  | 'secrets'
  | 'notifier'
  | 'opener'
  | 'forkNode'
  | 'clock'
  | 'guard'
>;

/** An argument that the daemon does not have; it may be a command. */
export class UnknownArgument extends BadArguments {}

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

/** Turns saved options back into command-line arguments. */
const optionArguments: { readonly [Name in keyof DaemonArguments]-?: (value: SavedOptions[string]) => string[] } = {
  port: (port) => ['--port', String(port)],
  host: (host) => ['--host', String(host)],
  requireToken: (required) => (required === true ? ['--require-token'] : []),
  behindProxy: (address) => (address === null ? [] : ['--behind-proxy', String(address)]),
  dataDir: (folder) => ['--data-dir', String(folder)],
  python: (program) => (program === null ? [] : ['--python', String(program)]),
  installer: (tool) => ['--installer', String(tool)],
  installWithinMs: (ms) => ['--install-minutes', String(Number(ms) / 60_000)],
  hubUrl: (address) => (address === null ? [] : ['--hub', String(address)]),
  catalogFile: (file) => (file === null ? [] : ['--catalog', String(file)]),
  llamaServer: (file) => (file === null ? [] : ['--llama-server', String(file)]),
  llamaServerUrl: (address) => (address === null ? [] : ['--llama-server-url', String(address)]),
  llamaServerSha256: (digest) => (digest === null ? [] : ['--llama-server-sha256', String(digest)]),
  containerEngine: (address) => (address === null ? [] : ['--container-engine', String(address)]),
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

/** The options of a daemon that was started before. Files on disk are not trusted. @throws BadArguments */
export function parseSavedOptions(saved: SavedOptions): DaemonArguments {
  const parsed = parseDaemonArguments(argumentsFor(saved));
  if (!parsed) throw new BadArguments('The saved options ask for help.');
  return parsed;
}

const unknown = new Set<string | undefined>(['ERR_PARSE_ARGS_UNKNOWN_OPTION', 'ERR_PARSE_ARGS_UNEXPECTED_POSITIONAL']);

/** The options in the form of Node's parser. */
const parserOptions = {
  ...Object.fromEntries(
    Object.entries<DaemonFlag>(daemonFlags).map(([name, { value, default: otherwise }]) => [
      name,
      value === undefined
        ? { type: 'boolean' as const }
        : { type: 'string' as const, ...(otherwise !== undefined && { default: otherwise }) },
    ]),
  ),
  help: { type: 'boolean' as const, short: 'h' },
};

function parse(argv: readonly string[]): DaemonFlagValues & { readonly help?: boolean } {
  try {
    return parseArgs({ args: [...argv], options: parserOptions }).values as DaemonFlagValues;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const sentence = message.split('. ')[0] ?? 'Bad arguments';
    throw unknown.has(code) ? new UnknownArgument(sentence) : new BadArguments(sentence);
  }
}

function robotFrom(values: DaemonFlagValues, defaultRobot: RobotChoice): Pick<DaemonArguments, 'robot' | 'serialPort'> {
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

function hubFrom(text: string | undefined): string | null {
  if (text === undefined) return null;
  const url = URL.parse(text);
  if (isWebAddress(url) && !url.search) return url.href.replace(/\/+$/, '');
  return fail(`--hub must be an address like https://hub.example, not "${text}".`);
}

function llamaServerFrom(
  values: DaemonFlagValues,
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

function containerEngineFrom(text: string | undefined): string | null {
  if (!text || text === 'none') return text || null;
  const address = text.includes('://') || text.startsWith('\\\\') ? text : resolve(text);
  if (placeFrom(address) !== null) return address;
  return fail(`--container-engine must be a socket of this machine, like /run/podman/podman.sock, not "${text}".`);
}

const isWebAddress = (url: URL | null): url is URL =>
  (url?.protocol === 'https:' || url?.protocol === 'http:') && !url.username;

function oneOf<T extends string>(allowed: readonly T[], value: string, name: string): T {
  return allowed.find((one) => one === value) ?? fail(`${name} must be one of ${allowed.join(', ')}, not "${value}".`);
}

function fail(message: string): never {
  throw new BadArguments(message);
}
