import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type DataPaths, dataPaths, defaultDataDir } from '../../shared/files/data-paths.ts';
import { BadArguments } from './bad-arguments.ts';

export interface CommandArguments {
  readonly paths: DataPaths;
  /** The switches that were given. */
  readonly switches: ReadonlySet<string>;
  /** The positional arguments. */
  readonly positionals: readonly string[];
  /** The values of the repeatable options. */
  readonly lists: Readonly<Record<string, readonly string[]>>;
  /** The values of the other options that were given. */
  readonly values: Readonly<Record<string, string | undefined>>;
}

/** The arguments that a command accepts besides the data folder and switches. */
export interface CommandSpec {
  /** The maximum number of positional arguments. */
  readonly maxPositionals?: number;
  /** The names of the repeatable options. */
  readonly lists?: readonly string[];
  /** The names of the other options with a value. */
  readonly values?: readonly string[];
}

/**
 * Parses the arguments of a command about a daemon.
 * @returns null after --help, which it prints
 * @throws BadArguments
 */
export function commandArguments(
  argv: readonly string[],
  help: string,
  switches: readonly string[] = [],
  { maxPositionals = 0, lists = [], values: names = [] }: CommandSpec = {},
): CommandArguments | null {
  const { values, positionals } = parse(argv, switches, lists, names);
  if (values['help']) {
    process.stdout.write(help);
    return null;
  }
  if (positionals.length > maxPositionals) {
    throw new BadArguments(`Unexpected argument '${positionals[maxPositionals]}'`);
  }
  return {
    paths: dataPaths(resolve(String(values['data-dir'] || defaultDataDir()))),
    switches: new Set(switches.filter((name) => values[name])),
    positionals,
    lists: Object.fromEntries(lists.map((name) => [name, values[name] as string[]])),
    values: Object.fromEntries(names.map((name) => [name, values[name] as string | undefined])),
  };
}

function parse(
  argv: readonly string[],
  switches: readonly string[],
  lists: readonly string[],
  names: readonly string[],
) {
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
        ...Object.fromEntries(names.map((name) => [name, { type: 'string' as const }])),
      },
    });
    return { values: values as Record<string, string | boolean | string[] | undefined>, positionals };
  } catch (error) {
    throw new BadArguments((error as Error).message.split('. ')[0] ?? 'Bad arguments');
  }
}
