import { join } from 'node:path';
import { withLines } from '../../app-package/check-app.ts';
import { inFile, type PackageFinding, warning } from '../../app-package/package-finding.ts';
import type { RuleId } from '../../app-package/rules.ts';
import { guardDisk, needDisk } from '../../apps/install/disk-guard.ts';
import { installPackage, provideSdk } from '../../apps/install/environment-build.ts';
import { installRunner } from '../../apps/install/install-runner.ts';
import { packagesDirOf, type RunStep } from '../../apps/python/python-env.ts';
import { copyPackage } from '../../apps/sources/folder-source.ts';
import type { AppManifest } from '../../contract/apps/apps.ts';
import { displayText } from '../../shared/display-text.ts';
import { buildFailure, installedFindings, leftFiles } from './build-findings.ts';
import type { CheckDeps, WorkProgress } from './check-deps.ts';
import type { CheckedFiles } from './check-rules.ts';
import { loadApp, loadFindings } from './load-app.ts';
import { newWorkFolder, removeFolder } from './work-folder.ts';

interface BuiltForCheck {
  /** Whether the app was built, installed and loaded. */
  readonly built: boolean;
  readonly findings: readonly PackageFinding[];
}

/** The rules that find the same before the build. */
const foreseen: Partial<Record<RuleId, RuleId>> = {
  'not-installed': 'static-not-packaged',
  'also-installed': 'stray-packages',
};

interface Build {
  readonly app: CheckedFiles & { readonly manifest: AppManifest };
  readonly deps: CheckDeps;
  readonly progress: WorkProgress;
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
  progress: WorkProgress,
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
  const { tools } = deps;
  if (!tools.isPrepared) progress.detail('Preparing the tools that install apps (once).');
  const prepared = await tools.prepare(app.python ?? (await tools.python()), run);
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

function leftFindings(left: readonly string[], isDeclared: boolean): PackageFinding[] {
  if (left.length === 0 && !isDeclared) return [];
  const what = left[0] === undefined ? 'the declaration of the app' : displayText(left[0], 120);
  return [inFile(warning('uninstall-leaves', `After an uninstall ${what} is still there.`), 'pyproject.toml')];
}
