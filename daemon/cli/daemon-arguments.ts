import { isAbsolute, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { InstallerChoice } from '../apps/python-tools.ts';
import type { DaemonOptions } from '../daemon-options.ts';
import { defaultDataDir } from '../shared/data-paths.ts';
import { DomainError } from '../shared/domain-error.ts';
import { type LogLevel, logLevels } from '../shared/logger.ts';

/** The command line does not say something that can be done. */
export class BadArguments extends DomainError {}

export type DaemonArguments = Omit<DaemonOptions, 'version' | 'resources' | 'dashboard'>;

export const usage = `Usage: robot-daemon --sim [options]

  --sim                    drive a simulated robot
  --port <number>          where to listen, 0 takes any free port (8000)
  --host <address>         the address to listen at (127.0.0.1)
  --data-dir <folder>      where apps and records are kept
  --python <program>       the Python that apps run on (the first good one on PATH)
  --installer <tool>       what installs apps: auto, uv or pip (auto)
  --log-level <level>      ${logLevels.join(', ')} (info)
  --no-wake-up-on-start    leave the robot asleep
  --help                   show this
`;

const installers: readonly InstallerChoice[] = ['auto', 'uv', 'pip'];

/** The same command line on the simulated robot, whether it asks for that or not. */
export function simulated(argv: readonly string[]): string[] {
  return argv.includes('--sim') ? [...argv] : ['--sim', ...argv];
}

/** @returns null when only help was asked for. @throws BadArguments */
export function parseDaemonArguments(argv: readonly string[]): DaemonArguments | null {
  const values = parse(argv);
  if (values.help) return null;
  if (!values.sim) {
    throw new BadArguments('Only the simulated robot can be driven so far: add --sim.');
  }
  const python = values.python ?? null;
  return {
    port: portFrom(values.port),
    host: values.host.trim() || fail('--host needs an address, like 127.0.0.1.'),
    dataDir: resolve(values['data-dir'] || defaultDataDir()),
    python: python?.includes('/') && !isAbsolute(python) ? resolve(python) : python,
    installer: oneOf(installers, values.installer, '--installer'),
    logLevel: oneOf<LogLevel>(logLevels, values['log-level'], '--log-level'),
    wakeUpOnStart: !values['no-wake-up-on-start'],
  };
}

function parse(argv: readonly string[]) {
  try {
    return parseArgs({
      args: [...argv],
      options: {
        sim: { type: 'boolean', default: false },
        port: { type: 'string', default: '8000' },
        host: { type: 'string', default: '127.0.0.1' },
        'data-dir': { type: 'string' },
        python: { type: 'string' },
        installer: { type: 'string', default: 'auto' },
        'log-level': { type: 'string', default: 'info' },
        'no-wake-up-on-start': { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    }).values;
  } catch (error) {
    throw new BadArguments((error as Error).message.split('. ')[0] ?? 'Bad arguments');
  }
}

function portFrom(text: string): number {
  const port = Number(text);
  if (/^\d+$/.test(text) && port <= 65_535) return port;
  return fail(`--port is a number from 0 to 65535, not "${text}".`);
}

function oneOf<T extends string>(allowed: readonly T[], value: string, name: string): T {
  return allowed.find((one) => one === value) ?? fail(`${name} is one of ${allowed.join(', ')}, not "${value}".`);
}

function fail(message: string): never {
  throw new BadArguments(message);
}
