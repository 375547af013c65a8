import { createHash } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { compare } from '@renovatebot/pep440';
import { minorOf } from '../../app-package/python-finding.ts';
import type { PythonStatus } from '../../contract/daemon.ts';
import { lazy } from '../../shared/async/lazy.ts';
import { Mutex } from '../../shared/async/mutex.ts';
import { pathExists } from '../../shared/async/succeeds.ts';
import { storageErrorIn } from '../../shared/files/storage-errors.ts';
import type { Logger } from '../../shared/logger.ts';
import { CommandFailed, runCommand } from '../../shared/processes/run-command.ts';
import type { InstalledPythons } from './installed-pythons.ts';
import { type EnvInstaller, pipInstaller, pythonIn, type RunStep, uvInstaller } from './python-env.ts';
import { findPython, type Python, PythonMissing } from './python-finder.ts';
import { findSdkWheel } from './sdk-wheel.ts';
import { findUv } from './uv-and-pip.ts';

/** `auto`: uv if it is found or can be downloaded, else pip. */
export type InstallerChoice = 'auto' | 'uv' | 'pip';

interface PythonToolsDeps {
  /** Holds the tools, in the data folder. */
  readonly toolsDir: string;
  readonly sdkDir: string;
  readonly installerDir: string;
  readonly wantedPython: string | null;
  readonly installed: Pick<InstalledPythons, 'find'>;
  readonly installer: InstallerChoice;
  readonly childEnvironment: () => Record<string, string>;
  readonly onStatus: (status: PythonStatus) => void;
  readonly log: Logger;
}

/** The tools of an install. */
export interface PreparedTools {
  /** The Python of the app. */
  readonly python: Python;
  readonly installer: EnvInstaller;
  readonly sdkWheel: string;
}

/** There is no uv, where only uv can do the work. */
export class UvMissing extends PythonMissing {
  constructor() {
    super(
      'uv is not on PATH and cannot be downloaded from the package index.',
      'Install uv, or use pip with --installer auto.',
    );
  }
}

const PROBE_MS = 15_000;
const TOOL_MS = 180_000;
/** Installs a tool with pip. An unreachable index delays an install for a short time only, since pip itself can install apps. */
const PIP_INSTALL_TOOL = [
  ...['-m', 'pip', 'install', '--no-input', '--disable-pip-version-check'],
  ...['--retries', '0', '--timeout', '8', '--only-binary', ':all:'],
];

/** Finds Python and the tools that install apps. Missing tools are installed once, in the data folder. */
export class PythonTools {
  readonly #deps: PythonToolsDeps;
  #status: PythonStatus = { state: 'looking' };
  #isPrepared = false;
  #uvFound: string | null = null;
  #fetchUvFailed = false;
  /** Makes the wheel and the environment of the tools, from what is here. */
  readonly #making = new Mutex();
  /** Installs tools from the package index, which may take its time. An install that needs no index does not wait for it. */
  readonly #fetching = new Mutex();
  readonly #closing = new AbortController();

  constructor(deps: PythonToolsDeps) {
    this.#deps = deps;
  }

  get status(): PythonStatus {
    return this.#status;
  }

  /** Whether the tools were prepared since the daemon started. */
  get isPrepared(): boolean {
    return this.#isPrepared;
  }

  /** Aborted once the daemon ends. */
  get closing(): AbortSignal {
    return this.#closing.signal;
  }

  /** Cancels a running search for Python. */
  close(): void {
    this.#closing.abort(new Error('closing'));
  }

  /** The preferred Python, which runs the tools. Looks for it once, and again after a failure. @throws PythonMissing */
  readonly python = lazy(() => this.#find());

  /**
   * The uv program; null if installs use pip.
   * @param run fetches uv if it is not there; null: only looks
   * @throws PythonMissing, or the reason of a cancel
   */
  async uv(run: RunStep | null): Promise<string | null> {
    if (this.#deps.installer === 'pip') return null;
    const python = await this.python();
    return run ? this.#fetchedUv(python, run) : this.#findUv(python);
  }

  /**
   * @param app the Python of the app; the tools themselves use the preferred one
   * @param how.needsIndex whether the install downloads packages; without, pip installs unless uv is here, and nothing waits for the index
   * @param how.isAhead no install waits for it: one that needs uv tries again where its download fails now, as before there is a network
   * @throws PythonMissing, CommandFailed, or the reason of a cancel
   */
  async prepare(app: Python, run: RunStep, { needsIndex = true, isAhead = false } = {}): Promise<PreparedTools> {
    const python = await this.python();
    const { sdkDir, toolsDir, installer: choice } = this.#deps;
    // One at a time: two installs would create the same tools in the same folder.
    const { sdkWheel, constraints } = await this.#making.run(() =>
      findSdkWheel({ sdkDir, toolsDir, python: async () => python, run }),
    );
    const uv =
      choice === 'pip' ? null : await this.#uvFor(python, run, { mayFetch: needsIndex || choice === 'uv', isAhead });
    if (!uv && choice === 'uv') throw new UvMissing();
    const installer = uv
      ? uvInstaller({ uv, python: app.executable, constraints })
      : pipInstaller({ toolPython: await this.#pipFor(app, python, run), python: app.executable, constraints });
    this.#setStatus({ state: 'ready', version: python.version, installer: installer.kind });
    this.#isPrepared ||= uv !== null || choice === 'pip' || (needsIndex && !isAhead);
    return { python: app, installer, sdkWheel };
  }

  async #find(): Promise<Python> {
    const { wantedPython, installed, childEnvironment, installerDir, installer } = this.#deps;
    try {
      const python = await findPython({
        wanted: wantedPython,
        installed,
        env: childEnvironment(),
        installerDir,
        signal: this.#closing.signal,
      });
      const uv = installer === 'pip' ? null : await this.#findUv(python);
      this.#setStatus({ state: 'ready', version: python.version, installer: uv ? 'uv' : 'pip' });
      return python;
    } catch (error) {
      if (error instanceof PythonMissing)
        this.#setStatus({ state: 'missing', reason: error.message, action: error.action });
      throw error;
    }
  }

  async #findUv(python: Python): Promise<string | null> {
    const how = { env: this.#deps.childEnvironment(), deadlineMs: PROBE_MS, signal: this.#closing.signal };
    this.#uvFound ??= await findUv([this.#toolEnv(python)], (file, args, more) =>
      runCommand(file, args, { ...how, ...more }),
    );
    return this.#uvFound;
  }

  #uvFor(
    python: Python,
    run: RunStep,
    { mayFetch, isAhead }: { readonly mayFetch: boolean; readonly isAhead: boolean },
  ): Promise<string | null> {
    return mayFetch ? this.#fetchedUv(python, run, isAhead) : this.#findUv(python);
  }

  #fetchedUv(python: Python, run: RunStep, isAhead = false): Promise<string | null> {
    return this.#fetching.run(() => this.#findOrFetchUv(python, run, isAhead));
  }

  async #findOrFetchUv(python: Python, run: RunStep, isAhead: boolean): Promise<string | null> {
    const found = await this.#findUv(python);
    if (found || this.#fetchUvFailed) return found;
    const { toolsDir, log } = this.#deps;
    try {
      await run(await this.#toolPython(python, run), [...PIP_INSTALL_TOOL, 'uv'], { deadlineMs: TOOL_MS });
      return await this.#findUv(python);
    } catch (error) {
      if (!(error instanceof CommandFailed)) throw error; // cancelled
      // On a full disk pip could install nothing either, and uv can be downloaded once there is room.
      if (storageErrorIn(error.lines, toolsDir)) throw error;
      this.#fetchUvFailed = !isAhead;
      log.info(`apps: uv cannot be downloaded, so pip installs apps: ${(error as Error).message}`);
      return null;
    }
  }

  /** The interpreter of the environment with pip. An older pip cannot install for a newer Python than its own. */
  async #pipFor(app: Python, python: Python, run: RunStep): Promise<string> {
    const toolPython = await this.#toolPython(python, run);
    const isNewer = compare(minorOf(app.version), minorOf(python.version)) > 0;
    if (isNewer) await this.#fetching.run(() => this.#renewPip(python, toolPython, run));
    return toolPython;
  }

  async #renewPip(python: Python, toolPython: string, run: RunStep): Promise<void> {
    const mark = join(this.#toolEnv(python), 'pip-is-new');
    if (await pathExists(mark)) return;
    try {
      await run(toolPython, [...PIP_INSTALL_TOOL, '--upgrade', 'pip'], { deadlineMs: TOOL_MS });
      await writeFile(mark, '');
    } catch (error) {
      if (!(error instanceof CommandFailed)) throw error; // cancelled
      this.#deps.log.info(`apps: pip cannot be renewed: ${(error as Error).message}`);
    }
  }

  /** The interpreter of an environment with pip, created at the first call. */
  #toolPython(python: Python, run: RunStep): Promise<string> {
    return this.#making.run(() => this.#findOrMakeToolPython(python, run));
  }

  async #findOrMakeToolPython(python: Python, run: RunStep): Promise<string> {
    const envDir = this.#toolEnv(python);
    const ready = join(envDir, 'ready');
    if (!(await pathExists(ready))) {
      await rm(envDir, { recursive: true, force: true }); // unfinished, left by a daemon that was killed
      await run(python.executable, ['-m', 'venv', envDir], { deadlineMs: TOOL_MS });
      await writeFile(ready, '');
    }
    return pythonIn(envDir);
  }

  #toolEnv(python: Python): string {
    const hash = createHash('sha256').update(python.executable).digest('hex').slice(0, 8);
    return join(this.#deps.toolsDir, `python-${python.version}-${hash}`);
  }

  #setStatus(status: PythonStatus): void {
    this.#status = status;
    this.#deps.onStatus(status);
  }
}
