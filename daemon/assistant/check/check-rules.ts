import { mkdtemp, realpath, rm, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { authorFindings } from '../../app-package/author/author-findings.ts';
import type { CodeCheck } from '../../app-package/author/code-findings.ts';
import { type OwnFiles, readOwnFiles } from '../../app-package/author/own-files.ts';
import { checkApp } from '../../app-package/check-app.ts';
import { iconFindings } from '../../app-package/icon/package-icon.ts';
import { readManifest } from '../../app-package/manifest.ts';
import { type PackageFinding, warning } from '../../app-package/package-finding.ts';
import type { PythonChoice } from '../../app-package/python-finding.ts';
import type { RunStep } from '../../apps/python/python-env.ts';
import { type Python, PythonMissing } from '../../apps/python/python-finder.ts';
import { readCode } from '../../apps/python/read-code.ts';
import type { AppManifest } from '../../contract/apps/apps.ts';
import { displayText } from '../../shared/display-text.ts';
import { CommandFailed, runCommand } from '../../shared/processes/run-command.ts';
import { AppFolderMissing } from '../errors.ts';
import type { CheckDeps } from './check-deps.ts';
import { workPrefix } from './work-folder.ts';

/** The facts about an app after its files were checked. */
export interface CheckedFiles {
  /** The folder, links resolved. */
  readonly folder: string;
  readonly files: OwnFiles;
  /** null when its declarations are refused. */
  readonly manifest: AppManifest | null;
  readonly findings: readonly PackageFinding[];
  /** The Python for it; null: none suits. */
  readonly python: Python | null;
  /** The facts about its code; null: it could not be read. */
  readonly code: CodeCheck | null;
}

/** Checks the files of an app by every rule. @throws AppFolderMissing, or the reason of the signal */
export async function checkRules(path: string, deps: CheckDeps, signal: AbortSignal): Promise<CheckedFiles> {
  signal.throwIfAborted();
  const folder = await appFolder(path);
  const files = await readOwnFiles(folder);
  const { manifest } = readManifest(files.pyproject, files.readme);
  const requiresPython = manifest?.requiresPython ?? null;
  const chosen = await deps.pythons
    .choose({ requiresPython, current: null, signal, run: null })
    .catch((error: unknown) => {
      if (error instanceof PythonMissing) return error; // there is none at all: the files are checked without it
      throw error;
    });
  const missing = chosen instanceof PythonMissing ? chosen : null;
  const choice = chosen instanceof PythonMissing ? withoutPython : chosen;
  const reader = missing ? null : (choice.chosen ?? choice.preferred);
  const [{ findings }, read] = await Promise.all([
    checkApp(files, { choosePython: async () => choice, sdkVersion: deps.sdkVersion() }),
    manifest && reader ? readFacts(folder, manifest, deps, { python: reader.executable, signal }) : null,
  ]);
  const code = read instanceof CommandFailed ? null : read;
  const more = [...(await authorFindings(files, manifest, code)), ...(await iconFindings(folder))];
  signal.throwIfAborted();
  const all = [...findings, ...more, ...unreadFindings(missing ?? read)];
  return { folder, files, manifest, findings: all, python: missing ? null : choice.chosen, code };
}

const noPython: Python = { executable: '', version: '3.10', standardModules: new Set() };
/** Nothing is found about Pythons where there is none. */
const withoutPython: PythonChoice<Python> = { chosen: noPython, preferred: noPython, installed: [], download: null };

function unreadFindings(why: PythonMissing | CodeCheck | CommandFailed | null): PackageFinding[] {
  if (why instanceof PythonMissing) {
    return [warning('code-not-checked', `The code was not checked: ${why.message}`, why.action)];
  }
  if (!(why instanceof CommandFailed)) return [];
  return [warning('code-not-checked', `The code was not checked: ${displayText(`${why.message}.`, 200)}`)];
}

/** @throws the reason of the signal */
async function readFacts(
  folder: string,
  manifest: AppManifest,
  { installerDir, tempDir, childEnvironment }: CheckDeps,
  { python, signal }: { readonly python: string; readonly signal: AbortSignal },
): Promise<CodeCheck | CommandFailed> {
  const work = await mkdtemp(join(tempDir, workPrefix()));
  try {
    const run: RunStep = (file, args, { deadlineMs = 0, ...more } = {}) =>
      runCommand(file, args, { env: childEnvironment(), signal, deadlineMs, ...more });
    return await readCode(folder, manifest, { python, installerDir, work, run, withFacts: true });
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

/** The folder of an app, links resolved. @throws AppFolderMissing */
export async function appFolder(path: string): Promise<string> {
  const folder = await realpath(resolve(path)).catch(() => null);
  const found = folder === null ? null : await stat(folder).catch(() => null);
  if (folder === null || !found?.isDirectory()) throw new AppFolderMissing(path, found?.isFile() ?? false);
  return folder;
}
