import type { PythonChoice } from '../../app-package/python-finding.ts';
import { CommandFailed, runCommand } from '../../shared/processes/run-command.ts';
import type { InstalledPythons } from './installed-pythons.ts';
import { probePython } from './probe-python.ts';
import { choosePython } from './python-choice.ts';
import { downloadablePython, downloadPython } from './python-download.ts';
import type { RunStep } from './python-env.ts';
import { type Python, pythonOf } from './python-finder.ts';
import { type PythonTools, UvMissing } from './python-tools.ts';

export interface AppPythonsDeps {
  readonly tools: Pick<PythonTools, 'python' | 'uv'>;
  readonly installed: Pick<InstalledPythons, 'find'>;
  readonly installerDir: string;
  /** Holds the Pythons that users let the daemon download. */
  readonly downloadsDir: string;
  readonly childEnvironment: () => Record<string, string>;
}

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
      downloadable: (range) => this.#downloadable({ requiresPython: range, preferred: preferred.version }, signal, run),
    });
  }

  /**
   * Downloads a Python that `choose` offered, for a user who accepts it.
   * @param version `3.12.4`
   * @throws UvMissing, CommandFailed, or the reason of a cancel
   */
  async download(version: string, run: RunStep, deadlineMs: number): Promise<void> {
    const { tools, downloadsDir } = this.#deps;
    const uv = await tools.uv(run);
    if (uv === null) throw new UvMissing();
    await downloadPython(uv, version, { downloadsDir, run, deadlineMs });
  }

  async #downloadable(
    wanted: { readonly requiresPython: string; readonly preferred: string },
    signal: AbortSignal,
    run: RunStep | null,
  ): Promise<string | null> {
    const { tools, childEnvironment } = this.#deps;
    const uv = await tools.uv(run);
    if (uv === null) return null;
    const env = { ...childEnvironment(), UV_PYTHON_DOWNLOADS: 'never' };
    // Not the install's own `run`: the job's log would list every version that exists.
    const ask: RunStep = (file, args, { deadlineMs = 0, ...more } = {}) =>
      runCommand(file, args, { env, signal, deadlineMs, ...more });
    return downloadablePython(uv, wanted, ask).catch((error: unknown) => {
      if (error instanceof CommandFailed) return null; // an old uv, without the command
      throw error;
    });
  }
}
