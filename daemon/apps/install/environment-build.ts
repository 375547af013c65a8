import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { providedSdk } from '../../app-package/provided-sdk.ts';
import { isBareSdk, sdkRequirement } from '../../app-package/requirement.ts';
import { settingsPageFrom } from '../../app-package/settings-page.ts';
import type { AppSource } from '../../contract/apps/app-source.ts';
import type { AppManifest, SettingsPage } from '../../contract/apps/apps.ts';
import type { JobProgress } from '../../jobs/job-queue.ts';
import type { Clock } from '../../shared/clock.ts';
import { CommandFailed } from '../../shared/processes/run-command.ts';
import { keepIcon } from '../app-icons.ts';
import { keepReadme } from '../app-readmes.ts';
import { missingPart } from '../crash/missing-part.ts';
import { missingInOutput } from '../crash/missing-variables.ts';
import type { InstalledApps } from '../installed/installed-apps.ts';
import { carryFiles } from '../installed/saved-files.ts';
import { type RunStep, tryImport } from '../python/python-env.ts';
import type { PreparedTools } from '../python/python-tools.ts';
import { classRefused, importFailure } from './install-failure.ts';

export interface EnvironmentDeps {
  readonly apps: InstalledApps;
  readonly installerDir: string;
  readonly dataDir: string;
  /** Time limit for building an environment, downloads included. */
  readonly installWithinMs: number;
  readonly sdkVersion: () => string;
  readonly clock: Pick<Clock, 'now'>;
}

/** The inputs of an install into an environment. */
interface InstallPlan {
  readonly manifest: Pick<AppManifest, 'dependencies' | 'baseline'>;
  /** A copy of the package that the build may write into. */
  readonly sourceDir: string;
  readonly prepared: PreparedTools;
  readonly run: RunStep;
  readonly progress: Pick<JobProgress, 'log' | 'detail'>;
}

/** The inputs of a build. */
export interface BuildPlan extends InstallPlan {
  readonly manifest: AppManifest;
  readonly source: AppSource;
  /** The address of the settings page that the sources tell, for an app that cannot be imported yet; null: none. */
  readonly pageInSources: string | null;
  readonly work: string;
  /** Whether the app may run meanwhile, in the live environment. */
  readonly whileRunning: boolean;
  readonly progress: JobProgress;
}

/**
 * Builds an app's environment beside the live one, tests the import, and switches to it.
 * @param checkBeforeSwitch rejects when the switch is no longer allowed
 * @throws JobFailed, CommandFailed, or the reason of a cancel; the live version is then unchanged
 */
export async function buildEnvironment(
  plan: BuildPlan,
  deps: EnvironmentDeps,
  checkBeforeSwitch: () => Promise<void>,
): Promise<void> {
  const { apps, clock } = deps;
  const { manifest, source, sourceDir, whileRunning, prepared, progress } = plan;
  const { python } = prepared;
  await provideSdk(sourceDir);
  const environment = await apps.newEnvironment(manifest.name, { keepBefore: whileRunning });
  try {
    progress.step('build');
    progress.detail(`Installing with ${prepared.installer.kind} on Python ${python.version}.`);
    await installPackage(environment.dir, plan, deps.installWithinMs);
    progress.step('import');
    const imported = await testImport(plan, environment.dir, deps);
    progress.signal.throwIfAborted();
    await keepReadme(sourceDir, environment.dir);
    const icon = await keepIcon(sourceDir, environment.dir, progress.log);
    progress.step('switch');
    const { name } = manifest;
    if (apps.find(name)?.name === name) await carryFiles(apps.environmentOf(name), environment.dir, progress);
    await checkBeforeSwitch(); // last: the app may have been started during the copying
    await environment.switchTo({
      ...manifest,
      icon,
      source,
      settingsPage: settingsPage(imported.customAppUrl, progress),
      installedAt: clock.now().toISOString(),
      pythonVersion: python.version,
    });
  } catch (error) {
    await environment.discard();
    throw error;
  }
}

/**
 * Creates an environment with an app, its dependencies and the SDK.
 * @param plan.sourceDir a copy of the package, for which `provideSdk` was called
 * @throws CommandFailed, or the reason of a cancel
 */
export async function installPackage(
  envDir: string,
  { manifest, sourceDir, prepared, run, progress }: InstallPlan,
  installWithinMs: number,
): Promise<void> {
  const { installer, sdkWheel } = prepared;
  const extras = sdkRequirement(manifest.dependencies)?.extras ?? [];
  const sdkExtras = [...(manifest.baseline ? ['baseline'] : []), ...extras];
  await installer.create(envDir, run);
  await installer.install(envDir, { sourceDir, sdkWheel, sdkExtras }, withProgress(run, progress), installWithinMs);
}

/** Shows the current step of pip or uv in the job, so that a large download does not look stalled. */
function withProgress(run: RunStep, progress: InstallPlan['progress']): RunStep {
  const onLine = (line: string) => {
    progress.log(line);
    if (/^(?:Downloading|Building|Resolved|Collecting|Installing)\b/.test(line.trim()))
      progress.detail(`${line.trim().replace(/ @ file:\S+/, '')}.`);
  };
  return (file, args, more) => run(file, args, { onLine, ...more });
}

/** Whether an install downloads packages. A sample that requires the SDK alone is built from what Robot Desktop brings. */
export function needsIndex({ kind }: AppSource, { dependencies, baseline }: InstallPlan['manifest']): boolean {
  return kind !== 'sample' || baseline || !dependencies.every(isBareSdk);
}

/** Replaces the package's SDK requirement, so that the resolver takes the SDK that is shipped. */
export async function provideSdk(sourceDir: string): Promise<void> {
  const path = join(sourceDir, 'pyproject.toml');
  const text = await readFile(path, 'utf8');
  const provided = providedSdk(text);
  if (provided !== text) await writeFile(path, provided);
}

/** An app that only lacks a variable at its import is installed: variables can be set from then on. */
async function testImport(plan: BuildPlan, envDir: string, { installerDir, dataDir, sdkVersion }: EnvironmentDeps) {
  const { manifest, work, run, progress } = plan;
  const { module, className } = manifest;
  const resultFile = join(work, 'import.json');
  const imported = await tryImport({ envDir, installerDir, module, className, resultFile, run }).catch(
    async (error: unknown) => {
      const lines = error instanceof CommandFailed && !error.timedOut ? error.lines : [];
      const missing = missingInOutput(lines);
      if (!missing) throw importFailure(error, module, dataDir, sdkVersion(), await missingPart(lines, envDir));
      progress.log(
        `warning: ${module} cannot be imported without ${missing.names.join(', ')}. Set it before the start.`,
      );
      return { problem: null, customAppUrl: plan.pageInSources };
    },
  );
  if (imported.problem !== null) throw classRefused(imported.problem);
  return imported;
}

function settingsPage(customAppUrl: string | null, progress: JobProgress): SettingsPage | null {
  if (customAppUrl === null) return null;
  const page = settingsPageFrom(customAppUrl);
  if (!page) {
    progress.log(
      `warning: custom_app_url is "${customAppUrl}", which has no port. The settings page cannot be opened. Use an address like http://localhost:8042.`,
    );
  }
  return page;
}
