import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { instanceIn } from '../../shared/data-folder/data-folder-lock.ts';
import { isSystemError } from '../../shared/domain-error.ts';
import type { DataPaths } from '../../shared/files/data-paths.ts';
import { BadArguments } from '../shared/bad-arguments.ts';
import { startedAs, terminalCommand } from '../terminal-commands.ts';

/** Where the assistant runs. */
export interface Surroundings {
  /** The folder with package.json, assets and dist. */
  readonly projectDir: string;
  /** Of the daemon, running or not. */
  readonly paths: DataPaths;
}

const absent: ReadonlySet<string> = new Set(['ENOENT', 'ENOTDIR']);

/** The absolute path of an existing folder. @throws BadArguments */
export async function existingFolder(given: string): Promise<string> {
  const path = resolve(given);
  const found = await stat(path).catch((error: unknown) => {
    if (!isSystemError(error)) throw error;
    const why = absent.has(error.code ?? '')
      ? `There is no folder ${path}.`
      : `${path} cannot be read (${error.code}).`;
    throw new BadArguments(`${why} Give the folder of the app.`);
  });
  if (!found.isDirectory()) throw new BadArguments(`${path} is not a folder. Give the folder of the app.`);
  return path;
}

/** The options with which the daemon of the data folder was started last: its hub and its Python hold here too. */
export async function daemonOptions(paths: DataPaths): Promise<{ hubUrl: string | null; python: string | null }> {
  const options = (await instanceIn(paths))?.options;
  const text = (value: unknown) => (typeof value === 'string' ? value : null);
  return { hubUrl: text(options?.['hubUrl']), python: text(options?.['python']) };
}

/** A command line of the assistant. Its words may be paths from the folder that the user is in. */
export const assistantCommand = (words: readonly string[], { projectDir, paths }: Surroundings): string =>
  terminalCommand(words, startedAs(projectDir, paths.root), 'robot-app-assistant');

/** The command line that starts the daemon of the data folder. */
export const daemonCommand = ({ projectDir, paths }: Surroundings): string =>
  terminalCommand(['--auto'], startedAs(projectDir, paths.root));
