import { minor, rcompare } from '@renovatebot/pep440';
import { fitsPython, type PythonChoice } from '../../app-package/python-finding.ts';
import { CommandFailed, runCommand } from '../../shared/processes/run-command.ts';
import type { InstalledPythons } from './installed-pythons.ts';
import { isSupported, probePython } from './probe-python.ts';
import type { RunStep } from './python-env.ts';
import { type Python, pythonOf } from './python-finder.ts';
import { type PythonTools, UvMissing } from './python-tools.ts';

interface AppPythonsDeps {
  readonly tools: Pick<PythonTools, 'python' | 'uv'>;
  readonly installed: Pick<InstalledPythons, 'find' | 'downloadsDir'>;
  readonly installerDir: string;
  readonly childEnvironment: () => Record<string, string>;
}

const LIST_MS = 30_000;

/** An app whose Python is to be chosen. */
export interface PythonRequest {
  readonly requiresPython: string | null;
  /** The interpreter of its installed version, whose Python it keeps if that suits; null: none. */
  readonly current: string | null;
  readonly signal: AbortSignal;
  /** Runs the commands of an install, which may also fetch uv; null: only looks. */
  readonly run: RunStep | null;
}

/** The Pythons of apps: each app has the one that suits it. */
export class AppPythons {
  readonly #deps: AppPythonsDeps;

  constructor(deps: AppPythonsDeps) {
    this.#deps = deps;
  }

  /** @throws PythonMissing when there is not even a Python for the tools, or the reason of the signal */
  async choose({ requiresPython, current, signal, run }: PythonRequest): Promise<PythonChoice<Python>> {
    const { tools, installed, installerDir, childEnvironment } = this.#deps;
    const preferred = await tools.python();
    const probing = { env: childEnvironment(), installerDir, signal };
    return choosePython(requiresPython, {
      current: async () => {
        if (current === null) return null;
        return probePython(current, probing).then(pythonOf, () => null);
      },
      preferred,
      installed: async () => (await installed.find(probing)).map(pythonOf),
      downloadable: (range) => this.#downloadable(range, preferred.version, { signal, run }),
    });
  }

  /**
   * Downloads a Python that `choose` offered, for a user who accepts it. It is for the daemon only: no link on PATH, no entry
   * in Windows' registry.
   * @param version `3.12.4`
   * @throws UvMissing, CommandFailed, or the reason of a cancel
   */
  async download(version: string, run: RunStep, deadlineMs: number): Promise<void> {
    const { tools, installed } = this.#deps;
    const uv = await tools.uv(run);
    if (uv === null) throw new UvMissing();
    const moreEnv = {
      UV_PYTHON_DOWNLOADS: 'manual',
      UV_PYTHON_INSTALL_DIR: installed.downloadsDir,
      UV_PYTHON_INSTALL_BIN: '0',
      UV_PYTHON_INSTALL_REGISTRY: '0',
    };
    await run(uv, ['python', 'install', `cpython@${version}`], { deadlineMs, moreEnv });
  }

  /** Asks uv for a version that it can download and that suits an app; null: none. uv knows the versions without the network. */
  async #downloadable(
    requiresPython: string,
    preferred: string,
    { signal, run }: Pick<PythonRequest, 'signal' | 'run'>,
  ): Promise<string | null> {
    const { tools, childEnvironment } = this.#deps;
    const uv = await tools.uv(run);
    if (uv === null) return null;
    const env = { ...childEnvironment(), UV_PYTHON_DOWNLOADS: 'never' };
    // Not the install's own `run`: the job's log would list every version that exists.
    const ask = async (...more: string[]) => {
      const lines: string[] = [];
      const onLine = (line: string) => void lines.push(line);
      const args = ['python', 'list', '--only-downloads', ...more];
      await runCommand(uv, args, { env, signal, deadlineMs: LIST_MS, onLine });
      return nearestPython(downloadsIn(lines), requiresPython, preferred);
    };
    try {
      // Without more, uv lists the newest patch of each release.
      return (await ask()) ?? (await ask('--all-versions'));
    } catch (error) {
      if (error instanceof CommandFailed) return null; // an old uv, without the command
      throw error;
    }
  }
}

interface ChoiceDeps {
  /** The Python of the app's installed version; null: none, or it no longer runs. */
  readonly current: () => Promise<Python | null>;
  readonly preferred: Python;
  /** Searches for the installed ones, the newest first. */
  readonly installed: () => Promise<readonly Python[]>;
  /** Finds a version that can be downloaded, or null. */
  readonly downloadable: (requiresPython: string) => Promise<string | null>;
}

/** Chooses an app's Python: that of its installed version, else the preferred one, else the newest installed one that suits. */
export async function choosePython(requiresPython: string | null, deps: ChoiceDeps): Promise<PythonChoice<Python>> {
  const { preferred } = deps;
  const fits = (python: Python) => fitsPython(requiresPython, python.version);
  const current = await deps.current();
  const known = [current, preferred].find((python) => python !== null && fits(python));
  if (known) return { chosen: known, preferred, installed: [known.version], download: null };
  const found = await deps.installed();
  const installed = [...new Set([preferred, ...found].map(({ version }) => version))].sort(rcompare);
  const chosen = found.find(fits) ?? null;
  const download = chosen || requiresPython === null ? null : await deps.downloadable(requiresPython);
  return { chosen, preferred, installed, download };
}

/**
 * Of the versions that can be downloaded, the newest of the release that is nearest to the preferred Python: the packages
 * of an app usually exist for the release that its author uses, and later for newer ones.
 * @returns null when none suits
 */
export function nearestPython(versions: readonly string[], requiresPython: string, preferred: string): string | null {
  const distance = (version: string) => Math.abs(minor(version) - minor(preferred));
  const suitable = versions.filter((version) => isSupported(version) && fitsPython(requiresPython, version));
  suitable.sort((a, b) => distance(a) - distance(b) || rcompare(a, b));
  return suitable[0] ?? null;
}

/** The final releases of CPython in uv's list, whose lines begin with `cpython-3.12.4-linux-x86_64-gnu`. */
export function downloadsIn(lines: readonly string[]): string[] {
  return lines
    .map((line) => /^cpython-(\d+\.\d+\.\d+)-\S+\s/.exec(line)?.[1])
    .filter((version) => version !== undefined);
}
