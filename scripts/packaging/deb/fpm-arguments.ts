/** The arguments that electron-builder gives to fpm for a deb. */
export interface DebArguments {
  /** The file to write. */
  readonly output: string;
  readonly name: string;
  readonly version: string;
  readonly architecture: string;
  readonly maintainer: string;
  /** The first line is the synopsis. */
  readonly description: string;
  readonly homepage: string | null;
  readonly vendor: string | null;
  readonly licence: string | null;
  readonly section: string;
  readonly priority: string;
  readonly depends: readonly string[];
  readonly recommends: readonly string[];
  /** `preinst`, `postinst`, `prerm` and `postrm`: the files to take. */
  readonly scripts: Readonly<Record<string, string>>;
  readonly compression: string;
  /** 0 to 9; null: that of the compression. */
  readonly compressionLevel: string | null;
  readonly files: readonly MappedPath[];
}

/** A file, or a folder with its contents, and its place in the package. */
interface MappedPath {
  readonly from: string;
  readonly to: string;
}

export class BadFpmArguments extends Error {}

const single = [
  ...['-s', '-t', '--package', '--name', '--version', '--iteration', '--architecture', '--maintainer'],
  ...['--description', '--url', '--vendor', '--license', '--category', '--log'],
  ...['--before-install', '--after-install', '--before-remove', '--after-remove'],
  ...['--deb-priority', '--deb-compression', '--deb-compression-level'],
] as const;
type Single = (typeof single)[number];
const repeated = ['-d', '--deb-recommends'] as const;
const flags = ['--force', '--debug'];

const scriptOptions = {
  preinst: '--before-install',
  postinst: '--after-install',
  prerm: '--before-remove',
  postrm: '--after-remove',
} as const;

/** @throws BadFpmArguments for an argument that this does not know: it would be missing from the package */
export function parseFpmArguments(argv: readonly string[]): DebArguments {
  const { values, lists, paths } = sorted(argv);
  if (values['-s'] !== 'dir' || values['-t'] !== 'deb') {
    throw new BadFpmArguments(
      `This builds a deb from files: -s dir -t deb, not -s ${values['-s']} -t ${values['-t']}.`,
    );
  }
  const needed = (option: Single): string => {
    const value = values[option];
    if (!value) throw new BadFpmArguments(`${option} is missing.`);
    return value;
  };
  const architecture = needed('--architecture');
  return {
    output: needed('--package'),
    name: needed('--name'),
    version: [needed('--version'), values['--iteration']].filter(Boolean).join('-'),
    architecture: architecture === 'x86_64' ? 'amd64' : architecture,
    maintainer: needed('--maintainer'),
    description: needed('--description'),
    homepage: values['--url'] ?? null,
    vendor: values['--vendor'] ?? null,
    licence: values['--license'] ?? null,
    section: values['--category'] ?? 'misc',
    priority: values['--deb-priority'] ?? 'optional',
    depends: lists['-d'],
    recommends: lists['--deb-recommends'],
    scripts: Object.fromEntries(
      Object.entries(scriptOptions).flatMap(([script, option]) => {
        const file = values[option];
        return file ? [[script, file]] : [];
      }),
    ),
    compression: values['--deb-compression'] ?? 'xz',
    compressionLevel: values['--deb-compression-level'] ?? null,
    files: paths.map(mappedPath),
  };
}

function sorted(argv: readonly string[]) {
  const values: Partial<Record<Single, string>> = {};
  const lists = { '-d': [] as string[], '--deb-recommends': [] as string[] };
  const paths: string[] = [];
  const rest = argv.values();
  for (const argument of rest) {
    const [option = '', ...given] = argument.startsWith('--') ? argument.split('=') : [argument];
    const value = () => {
      const { value = '', done } = given.length > 0 ? { value: given.join('='), done: false } : rest.next();
      if (done) throw new BadFpmArguments(`${option} needs a value.`);
      return value;
    };
    if (isOneOf(single, option)) values[option] = value();
    else if (isOneOf(repeated, option)) lists[option].push(value());
    else if (!argument.startsWith('-')) paths.push(argument);
    else if (!flags.includes(argument)) throw new BadFpmArguments(`The argument ${argument} is not known.`);
  }
  return { values, lists, paths };
}

const isOneOf = <Name extends string>(names: readonly Name[], name: string): name is Name =>
  (names as readonly string[]).includes(name);

function mappedPath(argument: string): MappedPath {
  const [from = '', to = '', ...more] = argument.split('=');
  const isPlace = to.startsWith('/') && !to.split('/').includes('..') && more.length === 0;
  if (from === '' || !isPlace) throw new BadFpmArguments(`"${argument}" is no file with its place, like a=/usr/bin/a.`);
  return { from, to };
}
