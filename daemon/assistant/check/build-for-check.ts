import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { withLines } from '../../app-package/check-app.ts';
import { inFile, type PackageFinding, warning } from '../../app-package/package-finding.ts';
import type { RuleId } from '../../app-package/rules/rules.ts';
import { guardDisk, needDisk } from '../../apps/install/disk-guard.ts';
import { installPackage, provideSdk } from '../../apps/install/environment-build.ts';
import { installRunner } from '../../apps/install/install-runner.ts';
import { packagesDirOf, pythonIn, type RunStep } from '../../apps/python/python-env.ts';
import type { PreparedTools } from '../../apps/python/python-tools.ts';
import { copyPackage } from '../../apps/sources/folder-source.ts';
import type { AppManifest } from '../../contract/apps/apps.ts';
import { displayText } from '../../shared/display-text.ts';
import { CommandFailed } from '../../shared/processes/run-command.ts';
import { buildFailure, installedFindings, leftFiles, loadFindings } from './build-findings.ts';
import type { CheckDeps, CheckProgress } from './check-deps.ts';
import type { CheckedFiles } from './check-rules.ts';
import { newWorkFolder, removeFolder } from './work-folder.ts';

interface BuiltForCheck {
  /** Whether the app was built, installed and loaded. */
  readonly built: boolean;
  readonly findings: readonly PackageFinding[];
}

/** The rules that tell the same before the build. */
const foreseen: Partial<Record<RuleId, RuleId>> = {
  'not-installed': 'static-not-packaged',
  'also-installed': 'stray-packages',
};

interface Build {
  readonly app: CheckedFiles & { readonly manifest: AppManifest };
  readonly deps: CheckDeps;
  readonly progress: CheckProgress;
  readonly run: RunStep;
  readonly work: string;
}

/**
 * Installs a copy of an app into a new environment, loads it there, and removes it again, with the folder of all that.
 * @throws the reason of the signal, or an error that is no failure of the build
 */
export async function buildForCheck(
  app: Build['app'],
  deps: CheckDeps,
  progress: CheckProgress,
): Promise<BuiltForCheck> {
  const work = await newWorkFolder(deps.clock, deps.tempDir);
  const guard = guardDisk(deps.clock, work);
  const signal = AbortSignal.any([progress.signal, guard.signal]);
  const guarded = { ...progress, signal };
  const run = installRunner({ ...deps, work, progress: guarded });
  try {
    return await build({ app, deps, progress: guarded, run, work });
  } catch (error) {
    progress.signal.throwIfAborted();
    const failure = buildFailure(error, work, app.manifest.dependencies);
    return { built: false, findings: withLines([failure], app.files.pyproject) };
  } finally {
    guard.end();
    await removeFolder(work);
  }
}

async function build({ app, deps, progress, run, work }: Build): Promise<BuiltForCheck> {
  const { manifest, files } = app;
  const { installerDir } = deps;
  progress.step('build');
  await needDisk(work, 0);
  const sourceDir = join(work, 'source');
  await copyPackage(app.folder, sourceDir, progress.signal);
  await provideSdk(sourceDir);
  await deps.cacheReady();
  const prepared = await prepare(app, deps, progress, run);
  progress.detail(`Installing with ${prepared.installer.kind} on Python ${prepared.python.version}.`);
  const envDir = join(work, 'environment');
  await installPackage(envDir, { manifest, sourceDir, prepared, run, progress }, deps.installWithinMs);

  progress.step('load');
  const loading = { envDir, installerDir, distribution: manifest.distribution, work, run };
  const loaded = await loadApp(loading);
  progress.signal.throwIfAborted();
  const found = loadFindings(manifest, loaded, files.paths);
  const known = new Set<string>(app.findings.map(({ code }) => code));
  const differs = installedFindings(manifest, loaded.files, files).filter(
    ({ code }) => !known.has(foreseen[code] ?? ''),
  );
  await prepared.installer.uninstall(envDir, manifest.distribution, run);
  const { entryPoints } = await loadApp(loading);
  const packagesDir = await packagesDirOf(envDir);
  const left = packagesDir === null ? [] : await leftFiles(loaded.files, packagesDir);
  return { built: true, findings: [...found, ...differs, ...leftFindings(left, entryPoints.length > 0)] };
}

async function prepare(
  app: CheckedFiles,
  { tools }: CheckDeps,
  progress: CheckProgress,
  run: RunStep,
): Promise<PreparedTools> {
  if (!tools.isPrepared) progress.detail('Preparing the tools that install apps (once).');
  return tools.prepare(app.python ?? (await tools.python()), run);
}

function leftFindings(left: readonly string[], isDeclared: boolean): PackageFinding[] {
  if (left.length === 0 && !isDeclared) return [];
  const what = left[0] === undefined ? 'the declaration of the app' : displayText(left[0], 120);
  return [inFile(warning('uninstall-leaves', `After an uninstall ${what} is still there.`), 'pyproject.toml')];
}

const LOAD_MS = 120_000;

const LoadedApp = z.object({
  /** The entry points of apps that the distribution declares; empty when it is not installed. */
  entryPoints: z.array(z.object({ name: z.string(), value: z.string() })),
  /** Its installed files, with slashes from the folder of packages. */
  files: z.array(z.string()),
  /** Why the class is no app, a sentence without its full stop; null: it is one. */
  problem: z.string().nullable(),
  /** The error that the import raised; null: nothing. */
  error: z
    .object({ message: z.string(), frames: z.array(z.object({ file: z.string(), line: z.int().nullable() })) })
    .nullable(),
});
export type LoadedApp = z.infer<typeof LoadedApp> & {
  /** The last lines of what the import wrote. */
  readonly lines: readonly string[];
  /** Why the process that loads it did not end by itself; null: it did. */
  readonly ended: CommandFailed | null;
};

/**
 * Loads an installed app by its entry point, in a process of its environment.
 * @throws CommandFailed when the environment's Python cannot be run, or the reason of a cancel
 */
async function loadApp(options: {
  readonly envDir: string;
  readonly installerDir: string;
  readonly distribution: string;
  readonly work: string;
  readonly run: RunStep;
}): Promise<LoadedApp> {
  const { envDir, installerDir, distribution, work, run } = options;
  const result = join(work, 'loaded.json');
  const args = ['-I', join(installerDir, 'load_entry_point.py'), distribution, result];
  const { lines, ended } = await run(pythonIn(envDir), args, { deadlineMs: LOAD_MS, cwd: work }).then(
    (all) => ({ lines: all as readonly string[], ended: null }),
    (error: unknown) => {
      if (error instanceof CommandFailed) return { lines: error.lines, ended: error };
      throw error;
    },
  );
  const text = await readFile(result, 'utf8').catch(() => null);
  if (text === null) throw ended ?? new Error(`${result} was not written.`);
  return { ...LoadedApp.parse(JSON.parse(text)), lines, ended };
}
