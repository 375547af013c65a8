import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { providedSdk } from '../../app-package/provided-sdk.ts';
import { sdkRequirement } from '../../app-package/sdk-requirement.ts';
import { settingsPageFrom } from '../../app-package/settings-page.ts';
import type { AppSource } from '../../contract/app-source.ts';
import type { AppManifest, SettingsPage } from '../../contract/apps.ts';
import { JobFailed } from '../../jobs/errors.ts';
import type { JobProgress } from '../../jobs/job-queue.ts';
import type { Now } from '../../shared/clock.ts';
import type { InstalledApps, NewEnvironment } from '../installed-apps.ts';
import { importFailure } from './install-failure.ts';
import { type RunStep, tryImport } from './python-env.ts';
import type { PreparedTools } from './python-tools.ts';
import { readSettingsUrl } from './settings-url.ts';

export interface EnvironmentDeps {
  readonly apps: InstalledApps;
  readonly installerDir: string;
  /** How long the build of an environment may take, downloads included. */
  readonly installWithinMs: number;
  readonly now: Now;
}

/** What an environment is built from. */
export interface BuildPlan {
  readonly manifest: AppManifest;
  readonly source: AppSource;
  /** A copy of the package that the build may write into. */
  readonly sourceDir: string;
  readonly work: string;
  readonly prepared: PreparedTools;
  readonly run: RunStep;
  readonly progress: JobProgress;
}

/**
 * Builds an app's environment beside the live one, tries it, and switches.
 * @param mayStillSwitch throws when it must not any more
 * @throws JobFailed, CommandFailed, or the reason of a cancel; the old state is then whole
 */
export async function buildEnvironment(
  plan: BuildPlan,
  { apps, installerDir, installWithinMs, now }: EnvironmentDeps,
  mayStillSwitch: () => void,
): Promise<void> {
  const { manifest, source, sourceDir, work, prepared, run, progress } = plan;
  const { python, installer, sdkWheel } = prepared;
  const { module, className } = manifest;
  // Before the build, which may write into the sources.
  const resultFile = join(work, 'settings-url.json');
  const of = { installerDir, sourceDir, module, className, resultFile, run };
  const fromSources = await readSettingsUrl({ python: python.executable, ...of });
  await provideSdk(sourceDir);
  const environment = await apps.newEnvironment(manifest.name);
  try {
    progress.step('build');
    progress.detail(`Installing with ${installer.kind} on Python ${python.version}.`);
    await installer.create(environment.dir, run);
    const asked = sdkRequirement(manifest.dependencies)?.extras ?? [];
    const sdkExtras = [...(manifest.baseline ? ['baseline'] : []), ...asked];
    const contents = { sourceDir, sdkWheel, sdkExtras };
    await installer.install(environment.dir, contents, telling(run, progress), installWithinMs);

    progress.step('import');
    const imported = await tryIt(plan, environment, installerDir);

    progress.signal.throwIfAborted();
    progress.step('switch');
    mayStillSwitch();
    await environment.switchTo({
      ...manifest,
      source,
      settingsPage: settingsPage(fromSources.known ? fromSources.url : imported.customAppUrl, progress),
      installedAt: now().toISOString(),
      pythonVersion: python.version,
    });
  } catch (error) {
    await environment.discard();
    throw error;
  }
}

/** Shows what pip or uv is at: a large download is not to look like a standstill. */
function telling(run: RunStep, progress: JobProgress): RunStep {
  const onLine = (line: string) => {
    progress.log(line);
    if (/^(?:Downloading|Building|Resolved|Collecting|Installing)\b/.test(line.trim()))
      progress.detail(`${line.trim().replace(/ @ file:\S+/, '')}.`);
  };
  return (file, args, more) => run(file, args, { onLine, ...more });
}

/** The SDK is the one that is shipped, whatever version a package asks for: no resolver is to look for another. */
async function provideSdk(sourceDir: string): Promise<void> {
  const path = join(sourceDir, 'pyproject.toml');
  const text = await readFile(path, 'utf8');
  const provided = providedSdk(text);
  if (provided !== text) await writeFile(path, provided);
}

async function tryIt({ manifest, work, run }: BuildPlan, { dir }: NewEnvironment, installerDir: string) {
  const { module, className } = manifest;
  const resultFile = join(work, 'import.json');
  const imported = await tryImport({ envDir: dir, installerDir, module, className, resultFile, run }).catch(
    (error: unknown) => {
      throw importFailure(error, module);
    },
  );
  if (imported.problem !== null) {
    throw new JobFailed({
      reason: 'not-an-app',
      message: `${imported.problem}.`,
      action: 'Mend the entry point or the class.',
    });
  }
  return imported;
}

function settingsPage(customAppUrl: string | null, progress: JobProgress): SettingsPage | null {
  if (customAppUrl === null) return null;
  const page = settingsPageFrom(customAppUrl);
  if (!page) {
    progress.log(
      `warning: custom_app_url is "${customAppUrl}", which has no port. Its page cannot be opened; http://localhost:8042 would do.`,
    );
  }
  return page;
}
