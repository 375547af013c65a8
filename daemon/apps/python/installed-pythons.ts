import { realpath, stat } from 'node:fs/promises';
import { rcompare } from '@renovatebot/pep440';
import { runCommand } from '../../shared/processes/run-command.ts';
import { isSupported, type ProbeOptions, type PythonProbe, probePython } from './probe-python.ts';
import { type PythonPlaces, pythonPrograms } from './python-places.ts';

/** Each probe is a process; more at once would only wait for the cores. */
const PROBES_AT_ONCE = 4;
const LAUNCHER_MS = 15_000;

/**
 * Finds the installed Pythons that can run apps: final releases of the usual kind. It remembers the facts of each
 * program until the program changes.
 */
export class InstalledPythons {
  readonly #places: () => PythonPlaces;
  readonly #facts = new Map<string, PythonProbe>();

  constructor(places: () => PythonPlaces) {
    this.#places = places;
  }

  /** @returns each interpreter once, the newest first */
  async find(options: ProbeOptions): Promise<PythonProbe[]> {
    const places = this.#places();
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
