import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { checkApp } from '../app-package/check-app.ts';
import { readPackageFiles } from '../app-package/package-files.ts';
import { settingsPageFrom } from '../app-package/settings-page.ts';
import type { AppManifest, AppSlotState, InstalledApp, SettingsPage } from '../contract/apps.ts';
import type { Job } from '../contract/jobs.ts';
import { JobFailed } from '../jobs/errors.ts';
import type { JobProgress, JobQueue } from '../jobs/job-queue.ts';
import type { Now } from '../shared/clock.ts';
import { type CommandOptions, runCommand } from '../shared/run-command.ts';
import { copyPackage, folderAddress, packageFolder } from './folder-source.ts';
import { importFailure, installFailure } from './install-failure.ts';
import type { InstalledApps, NewEnvironment } from './installed-apps.ts';
import { type RunStep, tryImport } from './python-env.ts';
import type { Python } from './python-finder.ts';
import type { PreparedTools, PythonTools } from './python-tools.ts';
import { readSettingsUrl } from './settings-url.ts';

export interface AppInstallerDeps {
  readonly jobs: JobQueue;
  readonly apps: InstalledApps;
  readonly tools: PythonTools;
  readonly slot: { readonly state: AppSlotState };
  /** Where work in progress is kept; emptied at each start. */
  readonly workDir: string;
  readonly installerDir: string;
  readonly childEnvironment: () => Record<string, string>;
  readonly now: Now;
}

const steps = [
  { name: 'copy', title: 'Copy the package' },
  { name: 'check', title: 'Check it' },
  { name: 'tools', title: 'Prepare Python' },
  { name: 'build', title: 'Build its environment' },
  { name: 'import', title: 'Try to import it' },
  { name: 'switch', title: 'Make it ready to start' },
] as const;

const DEFAULT_DEADLINE_MS = 60_000;

/** Installs and updates apps, each as a job: built beside what is live, tried, then switched in one step. */
export class AppInstaller {
  readonly #deps: AppInstallerDeps;

  constructor(deps: AppInstallerDeps) {
    this.#deps = deps;
  }

  /**
   * Installs the app at an address; the same address again is an update.
   * @returns the job that does it, which is the one under way if this was asked already
   * @throws InvalidBody when it is not an address that an app can be installed from
   */
  install(url: string): Job {
    const path = folderAddress(url);
    return this.#deps.jobs.add({
      kind: 'install-app',
      subject: path,
      steps,
      work: (progress) => this.#install(path, progress),
    });
  }

  async #install(path: string, progress: JobProgress): Promise<void> {
    const { tools, workDir } = this.#deps;
    await mkdir(workDir, { recursive: true });
    const work = await mkdtemp(join(workDir, 'install-'));
    try {
      progress.step('copy');
      const folder = await packageFolder(path);
      const sourceDir = join(work, 'source');
      progress.log(`${await copyPackage(folder, sourceDir, progress.signal)} files copied`);

      progress.step('check');
      const manifest = await this.#check(sourceDir, folder, await tools.python(), progress);

      progress.step('tools');
      const run = this.#runner(progress);
      const prepared = await tools.prepare(run);

      await this.#build({ manifest, folder, sourceDir, work, prepared, run, progress });
    } catch (error) {
      throw progress.signal.aborted ? error : installFailure(error);
    } finally {
      await rm(work, { recursive: true, force: true });
    }
  }

  async #check(sourceDir: string, folder: string, python: Python, progress: JobProgress): Promise<AppManifest> {
    const { apps, slot } = this.#deps;
    const { manifest, findings } = await checkApp(await readPackageFiles(sourceDir), python.standardModules);
    for (const finding of findings) progress.log(`${finding.severity}: ${finding.message}`);
    if (!manifest) {
      const problems = findings.filter((finding) => finding.severity === 'problem').map((finding) => finding.message);
      throw new JobFailed({
        reason: 'not-an-app',
        message: problems.join(' '),
        action: 'Mend the package, then install it again.',
      });
    }
    progress.appName(manifest.name);
    const there = apps.find(manifest.name);
    if (there && (there.name !== manifest.name || there.source.path !== folder)) {
      throw new JobFailed({
        reason: 'name-clash',
        message: `Another app is installed under this name: "${there.name}" from ${there.source.path}.`,
        action: 'Give the app another name in pyproject.toml.',
      });
    }
    const { state } = slot;
    if (state.state !== 'free' && state.holder.kind === 'managed-app' && state.holder.appName === manifest.name) {
      throw new JobFailed({
        reason: 'app-running',
        message: `${manifest.name} is running, and a running app is not replaced.`,
        action: 'Stop it, then install again.',
      });
    }
    return manifest;
  }

  async #build(options: {
    manifest: AppManifest;
    folder: string;
    sourceDir: string;
    work: string;
    prepared: PreparedTools;
    run: RunStep;
    progress: JobProgress;
  }): Promise<void> {
    const { manifest, folder, sourceDir, work, prepared, run, progress } = options;
    const { python, installer, sdkWheel } = prepared;
    const { module, className } = manifest;
    const { installerDir, apps } = this.#deps;
    // Before the build, which may write into the sources.
    const resultFile = join(work, 'settings-url.json');
    const of = { installerDir, sourceDir, module, className, resultFile, run };
    const fromSources = await readSettingsUrl({ python: python.executable, ...of });
    const environment = await apps.newEnvironment(manifest.name);
    try {
      progress.step('build');
      progress.detail(`Installing with ${installer.kind} on Python ${python.version}.`);
      await installer.create(environment.dir, run);
      await installer.install(environment.dir, { sourceDir, sdkWheel, baseline: manifest.baseline }, run);

      progress.step('import');
      const imported = await this.#tryImport(manifest, environment, join(work, 'import.json'), run);

      progress.signal.throwIfAborted();
      progress.step('switch');
      const app: InstalledApp = {
        ...manifest,
        source: { kind: 'folder', path: folder },
        settingsPage: settingsPage(fromSources.known ? fromSources.url : imported.customAppUrl, progress),
        installedAt: this.#deps.now().toISOString(),
        pythonVersion: python.version,
      };
      await environment.switchTo(app);
    } catch (error) {
      await environment.discard();
      throw error;
    }
  }

  async #tryImport({ module, className }: AppManifest, { dir }: NewEnvironment, resultFile: string, run: RunStep) {
    const { installerDir } = this.#deps;
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

  #runner(progress: JobProgress): RunStep {
    return (file, args, more: Partial<CommandOptions> = {}) =>
      runCommand(file, args, {
        env: this.#deps.childEnvironment(),
        deadlineMs: DEFAULT_DEADLINE_MS,
        signal: progress.signal,
        onLine: (line) => progress.log(line),
        ...more,
      });
  }
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
