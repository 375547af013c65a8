import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as z from 'zod';
import type { CommandOptions } from '../../shared/processes/run-command.ts';

/** Runs a command of an install, with its environment, cancellation and log. */
export type RunStep = (file: string, args: readonly string[], more?: Partial<CommandOptions>) => Promise<string[]>;

/** The packages of an app's environment. */
export interface EnvContents {
  /** A copy of the app's package; building may write into it. */
  readonly sourceDir: string;
  readonly sdkWheel: string;
  /** The extras of the SDK to install. `baseline`, the libraries that most apps use, needs the package index. */
  readonly sdkExtras: readonly string[];
}

/** Creates an app's environment, in which `python -m <module>` runs. */
export interface EnvInstaller {
  readonly kind: 'uv' | 'pip';
  create(envDir: string, run: RunStep): Promise<void>;
  install(envDir: string, contents: EnvContents, run: RunStep, deadlineMs: number): Promise<void>;
  uninstall(envDir: string, distribution: string, run: RunStep): Promise<void>;
}

const CREATE_MS = 120_000;
const UNINSTALL_MS = 60_000;
const IMPORT_MS = 120_000;

export function pythonIn(envDir: string): string {
  return process.platform === 'win32' ? join(envDir, 'Scripts', 'python.exe') : join(envDir, 'bin', 'python');
}

/** The folder of packages of an environment; null: it has none. */
export async function packagesDirOf(envDir: string): Promise<string | null> {
  if (process.platform === 'win32') return join(envDir, 'Lib', 'site-packages');
  const [python] = (await readdir(join(envDir, 'lib')).catch(() => [])).filter((name) => name.startsWith('python'));
  return python === undefined ? null : join(envDir, 'lib', python, 'site-packages');
}

/** The packages of an environment: the name of the folder of each, `numpy-2.1.0.dist-info`, and the list of its files. */
export async function installedRecords(packagesDir: string): Promise<{ folder: string; record: string }[]> {
  const names = await readdir(packagesDir).catch(() => []);
  return Promise.all(
    names
      .filter((name) => name.endsWith('.dist-info'))
      .map(async (folder) => ({
        folder,
        record: await readFile(join(packagesDir, folder, 'RECORD'), 'utf8').catch(() => ''),
      })),
  );
}

export function uvInstaller(options: { uv: string; python: string; constraints: string }): EnvInstaller {
  const { uv, python, constraints } = options;
  return {
    kind: 'uv',
    create: async (envDir, run) => {
      await run(uv, ['venv', '--quiet', '--python', python, envDir], { deadlineMs: CREATE_MS });
    },
    install: async (envDir, contents, run, deadlineMs) => {
      const into = ['--python', pythonIn(envDir), '--compile-bytecode'];
      const constrained = ['--constraint', constraints, '--build-constraint', constraints];
      await run(uv, ['pip', 'install', ...into, ...constrained, ...requirements(contents)], {
        deadlineMs,
        // The SDK is the wheel, even if the package maps it to a workspace.
        moreEnv: { UV_NO_SOURCES_PACKAGE: 'robot-sdk' },
      });
    },
    uninstall: async (envDir, distribution, run) => {
      await run(uv, ['pip', 'uninstall', '--python', pythonIn(envDir), distribution], { deadlineMs: UNINSTALL_MS });
    },
  };
}

/** `toolPython` is the interpreter of an environment that has pip; the apps' own environments do without. */
export function pipInstaller(options: { toolPython: string; python: string; constraints: string }): EnvInstaller {
  const { toolPython, python, constraints } = options;
  const address = pathToFileURL(constraints).href;
  return {
    kind: 'pip',
    create: async (envDir, run) => {
      await run(python, ['-m', 'venv', '--without-pip', envDir], { deadlineMs: CREATE_MS });
    },
    install: async (envDir, contents, run, deadlineMs) => {
      const pip = ['-m', 'pip', '--python', pythonIn(envDir), 'install', '--no-input', '--disable-pip-version-check'];
      await run(toolPython, [...pip, '--constraint', constraints, ...requirements(contents)], {
        deadlineMs,
        // Builds read their constraints from the variables; newer versions of pip read only the second one.
        // They hold addresses because pip splits them at spaces, and the data folder of macOS contains one.
        moreEnv: { PIP_CONSTRAINT: address, PIP_BUILD_CONSTRAINT: address },
      });
    },
    uninstall: async (envDir, distribution, run) => {
      const pip = ['-m', 'pip', '--python', pythonIn(envDir), 'uninstall', '--yes', '--disable-pip-version-check'];
      await run(toolPython, [...pip, distribution], { deadlineMs: UNINSTALL_MS });
    },
  };
}

/** Names the SDK's wheel explicitly, so that the index cannot provide another package of that name. */
function requirements({ sourceDir, sdkWheel, sdkExtras }: EnvContents): string[] {
  return [sourceDir, sdkExtras.length > 0 ? `${sdkWheel}[${sdkExtras.join(',')}]` : sdkWheel];
}

const ImportResult = z.object({ problem: z.string().nullable(), customAppUrl: z.string().nullable() });

/**
 * Imports the app's main module in its environment, in a separate process.
 * @returns `problem`: null, or why the app cannot run
 * @throws CommandFailed when the import raises or takes too long
 */
export async function tryImport(options: {
  envDir: string;
  installerDir: string;
  module: string;
  className: string;
  resultFile: string;
  run: RunStep;
}): Promise<z.infer<typeof ImportResult>> {
  const { envDir, installerDir, module, className, resultFile, run } = options;
  const script = join(installerDir, 'import_check.py');
  await run(pythonIn(envDir), ['-I', script, module, className, resultFile], { deadlineMs: IMPORT_MS });
  return ImportResult.parse(JSON.parse(await readFile(resultFile, 'utf8')));
}
