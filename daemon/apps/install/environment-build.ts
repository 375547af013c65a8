import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { providedSdk } from '../../app-package/provided-sdk.ts';
import { sdkRequirement } from '../../app-package/sdk-requirement.ts';
import { settingsPageFrom } from '../../app-package/settings-page.ts';
import type { AppSource } from '../../contract/apps/app-source.ts';
import type { AppManifest, SettingsPage } from '../../contract/apps/apps.ts';
import { JobFailed } from '../../jobs/errors.ts';
import type { JobProgress } from '../../jobs/job-queue.ts';
import type { Now } from '../../shared/clock.ts';
import type { InstalledApps, NewEnvironment } from '../installed/installed-apps.ts';
import { type RunStep, tryImport } from '../python/python-env.ts';
import type { PreparedTools } from '../python/python-tools.ts';
import { importFailure } from './install-failure.ts';
import { copySources, readSettingsUrl } from './settings-url.ts';

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
  const { manifest, source, sourceDir, work, prepared, progress } = plan;
  const { python } = prepared;
  const sources = join(work, 'python-sources');
  const mayHavePage = await copySources(sourceDir, sources);
  await provideSdk(sourceDir);
  const environment = await apps.newEnvironment(manifest.name);
  try {
    progress.step('build');
    progress.detail(`Installing with ${prepared.installer.kind} on Python ${python.version}.`);
    const [imported, fromSources] = await whenBothEnd(
      fill(environment, plan, { installerDir, installWithinMs }),
      mayHavePage ? readPage(sources, plan, installerDir) : { known: false, url: null },
    );

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

/** Installs the app and what it needs into a new environment, and tries to import it there. */
async function fill(
  environment: NewEnvironment,
  plan: BuildPlan,
  { installerDir, installWithinMs }: Pick<EnvironmentDeps, 'installerDir' | 'installWithinMs'>,
) {
  const { manifest, sourceDir, prepared, run, progress } = plan;
  const { installer, sdkWheel } = prepared;
  const asked = sdkRequirement(manifest.dependencies)?.extras ?? [];
  const sdkExtras = [...(manifest.baseline ? ['baseline'] : []), ...asked];
  await installer.create(environment.dir, run);
  await installer.install(environment.dir, { sourceDir, sdkWheel, sdkExtras }, telling(run, progress), installWithinMs);
  progress.step('import');
  return tryIt(plan, environment, installerDir);
}

function readPage(sourceDir: string, { manifest, work, prepared, run }: BuildPlan, installerDir: string) {
  const { module, className } = manifest;
  const resultFile = join(work, 'settings-url.json');
  const python = prepared.python.executable;
  return readSettingsUrl({ python, installerDir, sourceDir, module, className, resultFile, run });
}

/** Both, once neither is under way any more; fails as the first of them that failed. */
async function whenBothEnd<A, B>(a: Promise<A>, b: Promise<B> | B): Promise<[A, B]> {
  await Promise.allSettled([a, b]);
  return Promise.all([a, b]);
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
