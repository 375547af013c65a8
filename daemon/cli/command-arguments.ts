import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type DataPaths, dataPaths, defaultDataDir } from '../shared/data-paths.ts';
import { BadArguments } from './daemon-arguments.ts';

export interface CommandArguments {
  readonly paths: DataPaths;
  /** Those that were given of the switches that the command knows. */
  readonly switches: ReadonlySet<string>;
}

/**
 * Reads the arguments of a command about a daemon: which data folder, and what switches.
 * @returns null when only help was asked for; it has been shown then
 * @throws BadArguments
 */
export function commandArguments(
  argv: readonly string[],
  help: string,
  switches: readonly string[] = [],
): CommandArguments | null {
  const values = parse(argv, switches);
  if (values['help']) {
    process.stdout.write(help);
    return null;
  }
  const given = switches.filter((name) => values[name]);
  return { paths: dataPaths(resolve(String(values['data-dir'] || defaultDataDir()))), switches: new Set(given) };
}

function parse(argv: readonly string[], switches: readonly string[]): Record<string, string | boolean | undefined> {
  try {
    return parseArgs({
      args: [...argv],
      options: {
        'data-dir': { type: 'string' },
        help: { type: 'boolean', short: 'h', default: false },
        ...Object.fromEntries(switches.map((name) => [name, { type: 'boolean' as const, default: false }])),
      },
    }).values;
  } catch (error) {
    throw new BadArguments((error as Error).message.split('. ')[0] ?? 'Bad arguments');
  }
}
