import { delimiter } from 'node:path';
import type { AppInstaller } from '../../apps/install/app-installer.ts';
import type { AppLaunch, AppToStart, RunEnd } from '../../apps/installed/app-launch.ts';
import type { InstalledApps } from '../../apps/installed/installed-apps.ts';
import type { AppRunner } from '../../apps/run/app-runner.ts';
import { AppAlreadyRunning, NoAppRunning, NotOurApp, StartCancelled } from '../../apps/run/errors.ts';
import { preventsRun } from '../../assistant/check/check-report.ts';
import type { CheckFinding, OwnAppRun } from '../../contract/apps/own-apps.ts';
import type { JobQueue } from '../../jobs/job-queue.ts';
import { DomainError, ShuttingDown } from '../../shared/domain-error.ts';
import type { Logger } from '../../shared/logger.ts';
import { type ChangeEffect, effectOf, greatestEffect } from './change-effect.ts';
import type { FolderWatch, FolderWatchListeners } from './folder-watch.ts';
import { type InspectedFolder, needsBuild, type RunnableFolder } from './runnable-folder.ts';

export interface FolderRunDeps {
  readonly runner: Pick<AppRunner, 'start' | 'reload' | 'stop' | 'isRunningAs'>;
  readonly installed: Pick<InstalledApps, 'find' | 'findFrom' | 'launch' | 'removeUnused'>;
  readonly installer: Pick<AppInstaller, 'installOwn'>;
  readonly jobs: Pick<JobQueue, 'ended' | 'cancel'>;
  /** Checks the files of the app. */
  readonly inspect: (folder: string, signal: AbortSignal) => Promise<InspectedFolder>;
  readonly watch: (folder: string, listeners: FolderWatchListeners) => Promise<FolderWatch>;
  /** Called with each change of the run, and when the folder's declarations may have changed. */
  readonly onChange: (run: OwnAppRun) => void;
  readonly onDescription: () => void;
  readonly log: Logger;
}

interface Wanted {
  readonly effect: ChangeEffect;
  /** Whether the user asked for the start. */
  readonly start: boolean;
  readonly replace: boolean;
}

const off: OwnAppRun = { state: 'off', jobId: null, reloads: 0, problem: null, findings: [] };

/** Runs an app from its author's folder, and starts it again with each change that passes the check. */
export class FolderRun {
  readonly folder: string;
  readonly #deps: FolderRunDeps;
  readonly #ended = new AbortController();
  #run: OwnAppRun = { ...off, state: 'preparing' };
  /** null: not started. */
  #watch: Promise<FolderWatch | null> | null = null;
  #runnable: RunnableFolder | null = null;
  #launched: AppToStart | null = null;
  /** Whether it is in the slot, or about to be. */
  #isRunning = false;
  /** Whether code has changed since the last start. */
  #isStale = true;
  #wanted: Wanted | null = null;
  #isWorking = false;
  #jobId: string | null = null;

  constructor(folder: string, deps: FolderRunDeps) {
    this.folder = folder;
    this.#deps = deps;
  }

  get isOver(): boolean {
    return this.#ended.signal.aborted;
  }

  get state(): OwnAppRun['state'] {
    return this.#run.state;
  }

  /** Starts it and the watch, or starts it again while it waits. Returns at once. */
  start({ replace }: { readonly replace: boolean }): void {
    if (this.#run.state !== 'running') this.#set({ state: 'preparing', problem: null });
    this.#watch ??= this.#openWatch();
    void this.#watch.then(() => this.#want({ effect: 'code', start: true, replace }));
  }

  /** Ends the watch, and stops the app; settles once it has ended. */
  async stop(): Promise<void> {
    const wasRunning = this.#isRunning;
    this.#end(null);
    if (wasRunning) await this.#stopApp();
    await this.close();
  }

  /** Ends the watch. The app goes on. */
  async close(): Promise<void> {
    this.#end(null);
    await (await this.#watch)?.close();
  }

  async #openWatch(): Promise<FolderWatch | null> {
    const { watch, log } = this.#deps;
    const unseen = (error: Error) => {
      log.warn(`own-apps: ${this.folder} cannot be watched: ${error.message}`);
      this.#set({ problem: `Changes of its files may go unnoticed: ${error.message}. Start it again to run them.` });
    };
    try {
      const opened = await watch(this.folder, {
        onChange: (paths) => this.#changed(paths),
        onGone: () => this.#gone(),
        onError: unseen,
      });
      if (this.isOver) await opened.close();
      return opened;
    } catch (error) {
      unseen(error as Error);
      return null;
    }
  }

  #changed(paths: readonly string[]): void {
    const root = this.#runnable?.importFolder ?? '';
    const effect = greatestEffect(paths.map((path) => effectOf(path, root)));
    if (effect !== 'none') this.#want({ effect, start: false, replace: false });
  }

  #gone(): void {
    const wasRunning = this.#isRunning;
    this.#end(`The folder ${this.folder} does not exist any more, so that its app cannot go on.`);
    if (wasRunning) this.#stopApp().catch((error: unknown) => this.#deps.log.error('own-apps: the app goes on', error));
  }

  /** Joins what is wanted; one piece of work runs at a time. */
  #want(wanted: Wanted): void {
    if (wanted.effect === 'code') this.#isStale = true;
    this.#wanted = joined(this.#wanted, wanted);
    if (!this.#isWorking) void this.#work();
  }

  async #work(): Promise<void> {
    this.#isWorking = true;
    try {
      while (this.#wanted && !this.isOver) {
        const wanted = this.#wanted;
        this.#wanted = null;
        await this.#take(wanted).catch((error: unknown) => this.#failed(error));
      }
    } finally {
      this.#isWorking = false;
    }
  }

  async #take(wanted: Wanted): Promise<void> {
    const { inspect, installed, onDescription } = this.#deps;
    const { signal } = this.#ended;
    onDescription();
    if (wanted.effect === 'description' && !wanted.start) return;
    const { findings, runnable } = await inspect(this.folder, signal);
    if (this.isOver) return;
    if (this.#wanted) {
      this.#wanted = joined(wanted, this.#wanted); // the check is of files that have changed meanwhile
      return;
    }
    if (!runnable) return this.#refuse(problemText(findings.filter(preventsRun)), findings);
    if (runnable.importRoot.includes(delimiter)) return this.#refuse(splitPath(runnable.importRoot), findings);
    this.#set({ findings: [...findings] });
    const isBuilt = !needsBuild(
      installed.findFrom({ kind: 'folder', path: this.folder }),
      runnable.manifest,
      this.folder,
    );
    if (!isBuilt && !(await this.#build())) return;
    this.#runnable = runnable;
    if (this.#isRunning && isBuilt && !this.#isStale) return this.#set({ state: 'running', problem: null });
    await this.#startApp(wanted);
    if (!isBuilt) await installed.removeUnused(runnable.manifest.name);
  }

  /** Builds the environment, while the app goes on. @returns whether it is built */
  async #build(): Promise<boolean> {
    const { installer, jobs } = this.#deps;
    const { id } = await installer.installOwn(this.folder);
    this.#jobId = id;
    if (this.isOver) this.#cancelBuild();
    this.#set({ state: this.#isRunning ? 'running' : 'preparing', jobId: id });
    const { state, failure } = await jobs.ended(id);
    this.#jobId = null;
    this.#set({ jobId: null });
    if (this.isOver) return false;
    if (state !== 'done') {
      this.#refuse(failure ? `${failure.message} ${failure.action}` : 'The build of its environment was cancelled.');
    }
    return state === 'done';
  }

  async #startApp({ start, replace }: Wanted): Promise<void> {
    const { runner } = this.#deps;
    const isReload = this.#isRunning;
    // One that had ended or failed counts too, unless the user asked for this start.
    const isByChange = isReload || (this.#launched !== null && !start);
    this.#isStale = false;
    this.#isRunning = true;
    try {
      if (isReload && this.#launched) await runner.reload(this.#launched);
      else await runner.start(this.#newLaunch(), { replace });
    } catch (error) {
      // A reload may be refused before anything is stopped.
      this.#isRunning = this.#launched !== null && runner.isRunningAs(this.#launched);
      this.#isStale = true;
      throw error;
    }
    if (this.isOver) return this.#stopApp(); // it was stopped before it was in the slot
    if (!this.#isRunning) return;
    this.#set({ state: 'running', problem: null, reloads: this.#run.reloads + (isByChange ? 1 : 0) });
  }

  #newLaunch(): AppToStart {
    const find = (): AppLaunch => {
      const { manifest, importRoot, settingsPage } = this.#runnable as RunnableFolder;
      const { app, ...launch } = this.#deps.installed.launch(manifest.name);
      const { version, title, description, emoji } = manifest;
      return {
        ...launch,
        app: { ...app, version, title, description, emoji, ...(settingsPage !== undefined && { settingsPage }) },
        folder: { importRoot, onOver: (end) => this.#onOver(toStart, end) },
      };
    };
    const toStart: AppToStart = { appName: (this.#runnable as RunnableFolder).manifest.name, find };
    this.#launched = toStart;
    return toStart;
  }

  #onOver(toStart: AppToStart, { run, stopAsked, goesOn }: RunEnd): void {
    if (goesOn || toStart !== this.#launched) return;
    this.#isRunning = false;
    if (this.isOver) return;
    if (stopAsked) this.#end(null);
    else
      this.#set({
        state: 'waiting',
        problem: run?.outcome === 'finished' ? null : (run?.message ?? this.#run.problem),
      });
  }

  #failed(error: unknown): void {
    if (this.isOver) return;
    // Somebody stopped it, or another app has its place.
    if (error instanceof StartCancelled || error instanceof ShuttingDown) this.#end(null);
    else if (error instanceof AppAlreadyRunning) this.#end(error.message);
    else if (error instanceof DomainError) this.#refuse(error.message);
    else {
      this.#deps.log.error(`own-apps: ${this.folder} could not be run`, error);
      this.#refuse('It could not be run. See the log of the daemon.');
    }
  }

  /** Keeps what runs, and says why the change was not taken, with the findings that are a reason for it. */
  #refuse(problem: string, findings: readonly CheckFinding[] = this.#run.findings): void {
    this.#set({ state: this.#isRunning ? 'running' : 'waiting', problem, findings: findings.filter(preventsRun) });
  }

  #end(problem: string | null): void {
    if (this.isOver) return;
    this.#set({ ...off, problem });
    this.#ended.abort(new StartCancelled(this.#runnable?.manifest.name ?? this.folder));
    this.#cancelBuild();
    void this.#watch?.then((watch) => watch?.close());
  }

  #cancelBuild(): void {
    if (this.#jobId !== null) this.#deps.jobs.cancel(this.#jobId);
  }

  /** Another program may have the slot by now. */
  async #stopApp(): Promise<void> {
    await this.#deps.runner.stop().catch((error: unknown) => {
      if (!(error instanceof NoAppRunning || error instanceof NotOurApp)) throw error;
    });
  }

  #set(change: Partial<OwnAppRun>): void {
    if (this.isOver) return;
    this.#run = { ...this.#run, ...change };
    this.#deps.onChange(this.#run);
  }
}

function joined(before: Wanted | null, after: Wanted): Wanted {
  if (!before) return after;
  return {
    effect: greatestEffect([before.effect, after.effect]),
    start: before.start || after.start,
    replace: before.replace || after.replace,
  };
}

const splitPath = (path: string) =>
  `The path ${path} contains "${delimiter}", at which Python splits paths: it would run what was installed. Rename the folder.`;

/** The first problem with its place, and how many more there are. */
function problemText([first, ...others]: readonly CheckFinding[]): string {
  if (!first) return '';
  const place = first.file === null ? '' : `${first.file}${first.line === null ? '' : `, line ${first.line}`}: `;
  const count = others.length;
  const more = count === 0 ? '' : ` There ${count === 1 ? 'is 1 more problem' : `are ${count} more problems`}.`;
  return `${place}${first.message}${more}`;
}
