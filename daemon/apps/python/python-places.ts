import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** The machine whose interpreters are searched. */
export interface PythonPlaces {
  readonly env: Readonly<Record<string, string>>;
  readonly platform: NodeJS.Platform;
  /** The folder for the Pythons that the daemon downloaded. */
  readonly downloadsDir: string;
}

const UNIX_FOLDERS = [
  '/usr/bin',
  '/usr/local/bin',
  '/opt/homebrew/bin',
  '/opt/local/bin',
  '/home/linuxbrew/.linuxbrew/bin',
];
const MAC_FRAMEWORKS = '/Library/Frameworks/Python.framework/Versions';

/**
 * Lists the programs that may be a Python: on PATH, in the folders of the usual installers and version managers, and
 * among the downloads of uv. Runs none of them.
 * @returns full paths, the same interpreter perhaps by several
 */
export async function pythonPrograms(places: PythonPlaces): Promise<string[]> {
  const isWindows = places.platform === 'win32';
  const { direct, parents, inner } = isWindows ? windowsFolders(places) : unixFolders(places);
  const program = isWindows ? /^python(?:3(?:\.\d+)?)?\.exe$/i : /^python(?:3(?:\.\d+)?)?$/;
  const nested = await Promise.all(parents.map((parent) => below(parent, inner)));
  const found = await Promise.all(
    [...direct, ...nested.flat()].map(async (folder) => {
      const names = await namesIn(folder);
      return names.filter((name) => program.test(name)).map((name) => join(folder, name));
    }),
  );
  return [...new Set(found.flat())];
}

interface Folders {
  /** Folders of programs. */
  readonly direct: readonly string[];
  /** Folders with a folder for each Python, whose programs are in its folder `inner`. */
  readonly parents: readonly string[];
  readonly inner: string;
}

function unixFolders({ env, platform, downloadsDir }: PythonPlaces): Folders {
  const home = env['HOME'] ?? '/';
  const data = env['XDG_DATA_HOME'] || join(home, '.local', 'share');
  return {
    direct: [...onPath(env['PATH'], ':'), ...UNIX_FOLDERS, join(home, '.local', 'bin')],
    parents: [
      downloadsDir,
      join(data, 'uv', 'python'),
      join(env['PYENV_ROOT'] || join(home, '.pyenv'), 'versions'),
      join(env['ASDF_DATA_DIR'] || join(home, '.asdf'), 'installs', 'python'),
      join(env['MISE_DATA_DIR'] || join(data, 'mise'), 'installs', 'python'),
      join(home, '.rye', 'py'),
      '/opt/python',
      ...(platform === 'darwin' ? [MAC_FRAMEWORKS, '/opt/homebrew/opt', '/usr/local/opt'] : []),
    ],
    inner: 'bin',
  };
}

function windowsFolders({ env, downloadsDir }: PythonPlaces): Folders {
  const local = env['LOCALAPPDATA'];
  const parents = [
    downloadsDir,
    env['APPDATA'] && join(env['APPDATA'], 'uv', 'python'),
    local && join(local, 'Programs', 'Python'),
    local && join(local, 'Python'),
    env['ProgramFiles'],
    env['USERPROFILE'] && join(env['USERPROFILE'], '.pyenv', 'pyenv-win', 'versions'),
  ];
  return {
    direct: onPath(env['PATH'] ?? env['Path'], ';'),
    parents: parents.filter((each) => !!each) as string[],
    inner: '',
  };
}

function onPath(path: string | undefined, separator: string): string[] {
  return (path ?? '').split(separator).filter((folder) => folder !== '');
}

/** The folder `inner` of each Python's folder below a folder. */
async function below(parent: string, inner: string): Promise<string[]> {
  const names = await namesIn(parent);
  return names.filter((name) => /python|^\d/i.test(name)).map((name) => join(parent, name, inner));
}

const namesIn = (folder: string): Promise<string[]> => readdir(folder).catch(() => []);
