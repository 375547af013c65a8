import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { type AppCrash, AppRun, type RunOutputFile, type RunOutputPage } from '../../contract/apps/runs.ts';
import type { Publish } from '../../shared/async/event-bus.ts';
import type { Clock } from '../../shared/clock.ts';
import { readPastRecords, writeJsonFile } from '../../shared/files/json-file.ts';
import { makeFolder } from '../../shared/files/make-folder.ts';
import type { LineFilter, LineQuery } from '../../shared/line-selection.ts';
import type { Logger } from '../../shared/logger.ts';
import { crashesIn } from '../crash/crashes.ts';
import type { AppOutput } from './app-output.ts';
import { FinishedRunNotFound } from './errors.ts';
import { KeptOutput } from './kept-output.ts';
import { RunOutput, readNewest } from './run-output.ts';
import { BEGUN, readStartedRun, runFolders, type StartedRun } from './started-run.ts';

/** Number of runs that are recorded: per app, which its author may start again with each change, and in total. */
export const MAX_RUNS = { ofApp: 100, inAll: 200 };
/** Number of runs whose output is stored: per app, and in total. */
export const MAX_OUTPUTS = { ofApp: 20, inAll: 100 };
/** Lines of the last run's output that are loaded at start-up; earlier ones are read on request. */
const RESTORED_LINES = 2_000;

const Records = z.object({
  runs: z.array(AppRun),
  /** The ids of the runs that crashed and that nobody has seen. */
  unseen: z.array(z.string()).default([]),
});
interface RunHistoryDeps {
  readonly clock: Clock;
  /** Holds the records. */
  readonly file: string;
  /** Holds a folder for each run, with its output. */
  readonly dir: string;
  /** Output of the current or last run. */
  readonly output: AppOutput;
  readonly publish: Publish;
  readonly log: Logger;
}

/** Records and output of past runs, stored on disk in bounded number. */
export class RunHistory {
  readonly #deps: RunHistoryDeps;
  readonly #kept: KeptOutput;
  #runs: AppRun[] = [];
  #unseen: ReadonlySet<string> = new Set();
  #current: { runId: string; output: RunOutput; begun: Promise<void> } | null = null;

  constructor(deps: RunHistoryDeps) {
    this.#deps = deps;
    this.#kept = new KeptOutput(deps);
  }

  /** Loads the runs of earlier daemons, and closes the run that was interrupted when a daemon was killed. */
  async load(): Promise<void> {
    const { file, dir, output, log } = this.#deps;
    const { runs, unseen } = (await readPastRecords(file, Records, log)) ?? { runs: [], unseen: [] };
    this.#runs = runs;
    this.#unseen = new Set(unseen);
    const interrupted = await this.#interrupted();
    try {
      if (interrupted.length > 0) await this.#add(interrupted);
      // A daemon killed while it ended a run leaves both the mark and the record. The mark must go before the record is
      // dropped: the run would look interrupted.
      const folders = await runFolders(dir);
      await Promise.all(folders.map((runId) => rm(join(dir, runId, BEGUN), { force: true })));
    } catch (error) {
      log.error('apps: the runs that the last daemon interrupted could not be saved', error);
    }
    const { newest } = this;
    if (!newest) return;
    output.restore(newest.runId, newest.appName, (await readNewest(join(dir, newest.runId), RESTORED_LINES)) ?? []);
  }

  /** The last run that ended. */
  get newest(): AppRun | null {
    return this.#runs[0] ?? null;
  }

  /** Of each app the newest crash that nobody has seen, or its last run if that crashed; newest first. */
  get crashes(): AppCrash[] {
    return crashesIn(this.#runs, this.#unseen);
  }

  /**
   * Notes that a person has seen how a run crashed, and the earlier crashes of its app. A run that did not crash stays
   * as it is.
   * @throws FinishedRunNotFound, StorageError
   */
  async markSeen(runId: string): Promise<AppCrash[]> {
    const index = this.#runs.findIndex((each) => each.runId === runId);
    const run = this.#runs[index];
    if (!run) throw new FinishedRunNotFound(runId);
    const seen = this.#runs.slice(index).filter(({ appName }) => appName === run.appName);
    const news = seen.map((each) => each.runId).filter((id) => this.#unseen.has(id));
    if (news.length === 0) return this.crashes;
    const before = this.crashes;
    this.#unseen = new Set([...this.#unseen].filter((id) => !news.includes(id)));
    try {
      await this.#save();
    } catch (error) {
      this.#unseen = new Set([...this.#unseen, ...news]);
      throw error;
    }
    this.#publishCrashesUnless(before);
    return this.crashes;
  }

  /** Newest first. */
  list({ app, limit }: { app?: string | undefined; limit: number }): AppRun[] {
    const wanted = app === undefined ? this.#runs : this.#runs.filter(({ appName }) => appName === app);
    return wanted.slice(0, limit);
  }

  /** Records the start of a run. Returns at once, without waiting for the disk. */
  begin(run: StartedRun): void {
    const { clock, dir, output, log } = this.#deps;
    const folder = join(dir, run.runId);
    const begun = makeFolder(folder)
      .then(() => writeJsonFile(join(folder, BEGUN), run))
      .catch((error: unknown) => log.error(`apps: the start of run ${run.runId} could not be saved`, error));
    this.#current = { runId: run.runId, output: new RunOutput({ clock, dir: folder, lines: output, log }), begun };
  }

  /** The current run has new output. */
  outputChanged(): void {
    this.#current?.output.changed();
  }

  /** Records the end of the current run, whose output is complete. Settles once that is stored. Never rejects. */
  async end(run: AppRun): Promise<void> {
    const { dir, publish, log } = this.#deps;
    const current = this.#current;
    this.#current = null;
    await Promise.all([current?.output.close(), current?.begun]);
    const before = this.crashes;
    if (run.outcome === 'crashed') this.#unseen = new Set([...this.#unseen, run.runId]);
    try {
      await this.#add([run]);
      await rm(join(dir, run.runId, BEGUN), { force: true });
    } catch (error) {
      log.error(`apps: run ${run.runId} could not be saved`, error);
    }
    publish({ type: 'app-run.ended', run });
    this.#publishCrashesUnless(before);
  }

  /** Removes the records and the output of an app that was removed. */
  async forget(appName: string): Promise<void> {
    const before = this.crashes;
    await this.#keep(this.#runs.filter((run) => run.appName !== appName));
    this.#publishCrashesUnless(before);
  }

  /**
   * A page of what is kept of the output of a past or the current run.
   * @throws RunNotFound when there is no such run, or its output was removed
   */
  output(runId: string, query: LineQuery = {}): Promise<RunOutputPage> {
    return this.#kept.page(runId, this.#find(runId), query);
  }

  /** All of it, or the lines that are looked for, as a text file. @throws RunNotFound */
  outputFile(runId: string, filter: LineFilter = {}): Promise<RunOutputFile> {
    return this.#kept.file(runId, this.#find(runId), filter);
  }

  #find(runId: string): AppRun | undefined {
    return this.#runs.find((run) => run.runId === runId);
  }

  /** The runs that were interrupted by the end of their daemon. */
  async #interrupted(): Promise<AppRun[]> {
    const known = new Set(this.#runs.map(({ runId }) => runId));
    const unknown = (await runFolders(this.#deps.dir)).filter((runId) => !known.has(runId));
    const runs = await Promise.all(unknown.map((runId) => this.#interruptedRun(runId)));
    return runs.filter((run) => run !== null).sort((a, b) => b.startedAt.localeCompare(a.startedAt));
  }

  async #interruptedRun(runId: string): Promise<AppRun | null> {
    const folder = join(this.#deps.dir, runId);
    const begun = await readStartedRun(folder);
    if (!begun) return null; // the daemon was killed before it published the run
    const lastLine = (await readNewest(folder, 1))?.at(-1);
    return {
      ...begun,
      runId,
      endedAt: lastLine?.at ?? begun.startedAt,
      outcome: 'killed',
      exitCode: null,
      signal: null,
      message: 'The daemon stopped while it ran.',
      diagnosis: null,
      killed: [],
    };
  }

  /** Sorted by the order in which they ended; the clock may have been set back. */
  #add(newer: readonly AppRun[]): Promise<void> {
    return this.#keep(newestOf([...newer, ...this.#runs], MAX_RUNS));
  }

  async #keep(runs: AppRun[]): Promise<void> {
    this.#runs = runs;
    this.#unseen = new Set(runs.map(({ runId }) => runId).filter((id) => this.#unseen.has(id)));
    await this.#save();
    const withOutput = runsWithOutput(runs);
    for (const runId of await runFolders(this.#deps.dir)) {
      if (!withOutput.has(runId) && runId !== this.#current?.runId)
        await rm(join(this.#deps.dir, runId), { recursive: true, force: true });
    }
  }

  #save(): Promise<void> {
    const records: z.infer<typeof Records> = { runs: this.#runs, unseen: [...this.#unseen] };
    return writeJsonFile(this.#deps.file, records);
  }

  /** Publishes the crashes, unless they are the same as before. */
  #publishCrashesUnless(before: readonly AppCrash[]): void {
    const { crashes } = this;
    const keyOf = (all: readonly AppCrash[]) => all.map(({ run, seen }) => `${run.runId} ${seen}`).join();
    if (keyOf(crashes) !== keyOf(before)) this.#deps.publish({ type: 'app-crashes.changed', crashes });
  }
}

/** The ids of the runs whose output is stored. @param runs newest first */
export function runsWithOutput(runs: readonly AppRun[]): Set<string> {
  return new Set(newestOf(runs, MAX_OUTPUTS).map(({ runId }) => runId));
}

/** The newest runs up to the limits. @param runs newest first */
function newestOf(runs: readonly AppRun[], most: { readonly ofApp: number; readonly inAll: number }): AppRun[] {
  const ofApp = new Map<string, number>();
  const kept = runs.filter(({ appName }) => {
    const count = (ofApp.get(appName) ?? 0) + 1;
    ofApp.set(appName, count);
    return count <= most.ofApp;
  });
  return kept.slice(0, most.inAll);
}
