import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type DataPaths, dataPaths, defaultDataDir } from '../shared/files/data-paths.ts';
import { BadArguments } from './daemon-arguments.ts';

export interface CommandArguments {
  readonly paths: DataPaths;
  /** Those that were given of the switches that the command knows. */
  readonly switches: ReadonlySet<string>;
  /** What was given beside options. */
  readonly words: readonly string[];
  /** What was given of the options that can be given several times. */
  readonly lists: Readonly<Record<string, readonly string[]>>;
}

/** What a command takes beside the data folder and switches. */
export interface CommandTakes {
  /** How many words, at most. */
  readonly words?: number;
  /** The options that can be given several times. */
  readonly lists?: readonly string[];
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
  { words = 0, lists = [] }: CommandTakes = {},
): CommandArguments | null {
  const { values, positionals } = parse(argv, switches, lists);
  if (values['help']) {
    process.stdout.write(help);
    return null;
  }
  if (positionals.length > words) throw new BadArguments(`Unexpected argument '${positionals[words]}'`);
  return {
    paths: dataPaths(resolve(String(values['data-dir'] || defaultDataDir()))),
    switches: new Set(switches.filter((name) => values[name])),
    words: positionals,
    lists: Object.fromEntries(lists.map((name) => [name, values[name] as string[]])),
  };
}

function parse(argv: readonly string[], switches: readonly string[], lists: readonly string[]) {
  const list = { type: 'string' as const, multiple: true as const, default: [] as string[] };
  try {
    const { values, positionals } = parseArgs({
      args: [...argv],
      allowPositionals: true,
      options: {
        'data-dir': { type: 'string' },
        help: { type: 'boolean', short: 'h', default: false },
        ...Object.fromEntries(switches.map((name) => [name, { type: 'boolean' as const, default: false }])),
        ...Object.fromEntries(lists.map((name) => [name, list])),
      },
    });
    return { values: values as Record<string, string | boolean | string[] | undefined>, positionals };
  } catch (error) {
    throw new BadArguments((error as Error).message.split('. ')[0] ?? 'Bad arguments');
  }
}
