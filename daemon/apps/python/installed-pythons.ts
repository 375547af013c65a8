import { readdir, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { rcompare } from '@renovatebot/pep440';
import { runCommand } from '../../shared/processes/run-command.ts';
import { isSupported, type ProbeOptions, type PythonProbe, probePython } from './probe-python.ts';

/** Each probe is a process; more at once would only wait for the cores. */
const PROBES_AT_ONCE = 4;
const LAUNCHER_MS = 15_000;

/**
 * Finds the installed Pythons that can run apps: final releases of the usual kind. It remembers the facts of each
 * program until the program changes.
 */
export class InstalledPythons {
  /** The folder for the Pythons that users let the daemon download. */
  readonly downloadsDir: string;
  readonly #env: () => PythonPlaces['env'];
  readonly #platform: NodeJS.Platform;
  readonly #facts = new Map<string, PythonProbe>();

  /** @param toolsDir holds the downloaded ones */
  constructor(env: () => PythonPlaces['env'], toolsDir: string, platform: NodeJS.Platform = process.platform) {
    this.#env = env;
    this.#platform = platform;
    this.downloadsDir = join(toolsDir, 'pythons');
  }

  /** @returns each interpreter once, the newest first */
  async find(options: ProbeOptions): Promise<PythonProbe[]> {
    const places = { env: this.#env(), platform: this.#platform, downloadsDir: this.downloadsDir };
    const programs = [...(await pythonPrograms(places)), ...(await fromLauncher(places, options))];
    const unique = [...new Set(await Promise.all(programs.map((program) => realpath(program).catch(() => program))))];
    const found = new Map<string, PythonProbe>();
    const waiting = unique.values();
    const work = async () => {
      for (const program of waiting) {
        const facts = await this.#factsOf(program, options);
        if (facts && canRunApps(facts)) found.set(facts.executable, facts);
      }
    };
    await Promise.all(Array.from({ length: PROBES_AT_ONCE }, work));
    options.signal.throwIfAborted();
    return [...found.values()].sort(
      (a, b) => rcompare(a.version, b.version) || a.executable.localeCompare(b.executable),
    );
  }

  async #factsOf(program: string, options: ProbeOptions): Promise<PythonProbe | null> {
    const changedAt = await stat(program).then(
      ({ mtimeMs }) => mtimeMs,
      () => null,
    );
    if (changedAt === null) return null;
    const key = `${program} ${changedAt}`;
    const known = this.#facts.get(key);
    if (known) return known;
    const facts = await probePython(program, options).catch(() => null);
    // Modules may be added later, and a shim may lead to another interpreter: only what stays is remembered.
    if (facts && (canRunApps(facts) || !isSupported(facts.version))) this.#facts.set(key, facts);
    return facts;
  }
}

function canRunApps({ version, isFinal, isUsual, hasVenv }: PythonProbe): boolean {
  return isSupported(version) && isFinal && isUsual && hasVenv;
}

/** The interpreters that Windows' launcher knows; `py -0p` prints ` -V:3.12 *  C:\…\python.exe`. */
async function fromLauncher({ env, platform }: PythonPlaces, { signal }: ProbeOptions): Promise<string[]> {
  if (platform !== 'win32') return [];
  const lines = await runCommand('py', ['-0p'], { env, deadlineMs: LAUNCHER_MS, signal }).catch(() => []);
  return launcherPrograms(lines);
}

/** @param lines the output of `py -0p` */
export function launcherPrograms(lines: readonly string[]): string[] {
  return lines
    .map((line) => /^\s*-\S+(?:\s+\*)?\s+(\S.*\.exe)\s*$/i.exec(line)?.[1])
    .filter((program) => program !== undefined);
}

/** The machine whose interpreters are searched. */
interface PythonPlaces {
  readonly env: Readonly<Record<string, string>>;
  readonly platform: NodeJS.Platform;
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
async function pythonPrograms(places: PythonPlaces): Promise<string[]> {
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
