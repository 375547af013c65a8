import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as z from 'zod';
import type { CommandOptions } from '../../shared/processes/run-command.ts';

/** Runs one of an install's commands; bound to its environment, its cancel and its log. */
export type RunStep = (file: string, args: readonly string[], more?: Partial<CommandOptions>) => Promise<string[]>;

/** What is put into an app's environment. */
export interface EnvContents {
  /** A copy of the app's package; building may write into it. */
  readonly sourceDir: string;
  readonly sdkWheel: string;
  /** The extras of the SDK that come along. `baseline`, the libraries that app authors lean on, needs the package index. */
  readonly sdkExtras: readonly string[];
}

/** The two tools that make an app's environment; both leave one that `python -m <module>` runs in. */
export interface EnvInstaller {
  readonly kind: 'uv' | 'pip';
  create(envDir: string, run: RunStep): Promise<void>;
  install(envDir: string, contents: EnvContents, run: RunStep, withinMs: number): Promise<void>;
}

const CREATE_MS = 120_000;
const IMPORT_MS = 120_000;

export function pythonIn(envDir: string): string {
  return process.platform === 'win32' ? join(envDir, 'Scripts', 'python.exe') : join(envDir, 'bin', 'python');
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
      const held = ['--constraint', constraints, '--build-constraint', constraints];
      await run(uv, ['pip', 'install', ...into, ...held, ...requirements(contents)], {
        deadlineMs,
        // The SDK is the wheel, whatever workspace its author has it in.
        moreEnv: { UV_NO_SOURCES_PACKAGE: 'robot-sdk' },
      });
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
        // Builds take their requirements from the variables; newer versions of pip look at the second one only.
        // As addresses: pip splits the variables at spaces, and the data folder of macOS has one.
        moreEnv: { PIP_CONSTRAINT: address, PIP_BUILD_CONSTRAINT: address },
      });
    },
  };
}

/** Both named: the SDK is then this very wheel, whatever an index has under its name. */
function requirements({ sourceDir, sdkWheel, sdkExtras }: EnvContents): string[] {
  return [sourceDir, sdkExtras.length > 0 ? `${sdkWheel}[${sdkExtras.join(',')}]` : sdkWheel];
}

const ImportResult = z.object({ problem: z.string().nullable(), customAppUrl: z.string().nullable() });

/**
 * Imports the app's main module in its own environment, in a process of its own.
 * @returns `problem`: null, or why the app could never run
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
