import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { AppName } from '../../contract/apps/app-source.ts';
import { AppRun, type OutputPage } from '../../contract/apps/runs.ts';
import { Timestamp } from '../../contract/common/common.ts';
import type { Publish } from '../../shared/async/event-bus.ts';
import { readJsonFile, writeJsonFile } from '../../shared/files/json-file.ts';
import { readKeptFile } from '../../shared/files/kept-file.ts';
import type { Logger } from '../../shared/logger.ts';
import { type AppOutput, PAGE_LINES } from './app-output.ts';
import { RunNotFound } from './errors.ts';
import { RunOutput } from './run-output.ts';
import { firstKept, readOutput } from './run-output-reader.ts';

export const KEPT_RUNS = 200;
/** The runs whose output is kept: those of one app, and in all. */
export const KEPT_OUTPUTS = { ofApp: 20, inAll: 100 };
/** How much of the last run's output a new daemon shows at once; the rest is read when it is asked for. */
const RESTORED_LINES = 2_000;

const RUN_ID = /^[0-9a-f]{16}$/;
/** Says that a run is under way, in its folder; without a record beside it, that the daemon ended meanwhile. */
const BEGUN = 'begun.json';

const Records = z.object({ runs: z.array(AppRun) });
const BegunRun = z.object({ runId: z.string(), appName: AppName, version: z.string(), startedAt: Timestamp });
export type BegunRun = z.infer<typeof BegunRun>;

export interface RunHistoryDeps {
  /** The records. */
  readonly file: string;
  /** One folder a run, with its output. */
  readonly dir: string;
  /** Of the current run, or of the last one. */
  readonly output: AppOutput;
  readonly publish: Publish;
  readonly log: Logger;
}

/** How the runs of apps went and what they wrote, kept on disk: a bounded number of them. */
export class RunHistory {
  readonly #deps: RunHistoryDeps;
  #runs: AppRun[] = [];
  #current: { runId: string; output: RunOutput; begun: Promise<void> } | null = null;

  constructor(deps: RunHistoryDeps) {
    this.#deps = deps;
  }

  /** Reads what earlier daemons have left, and closes the run that was under way when one was killed. */
  async load(): Promise<void> {
    const { file, dir, output, log } = this.#deps;
    this.#runs = (await readKeptFile(file, Records, log)).value?.runs ?? [];
    const interrupted = await this.#interrupted();
    try {
      if (interrupted.length > 0) await this.#add(interrupted);
      // A daemon that was killed while it ended a run left the mark beside a record. Without the record, the run would
      // look interrupted.
      const folders = await this.#folders();
      await Promise.all(folders.map((runId) => rm(join(dir, runId, BEGUN), { force: true })));
    } catch (error) {
      log.error('apps: the runs that the daemon before was killed in could not be kept', error);
    }
    const { newest } = this;
    if (!newest) return;
    const kept = await readOutput(join(dir, newest.runId), RESTORED_LINES);
    output.restore(newest.runId, newest.appName, kept?.lines ?? []);
  }

  /** The last run that ended. */
  get newest(): AppRun | null {
    return this.#runs[0] ?? null;
  }

  /** Newest first. */
  list({ app, limit }: { app?: string | undefined; limit: number }): AppRun[] {
    const wanted = app === undefined ? this.#runs : this.#runs.filter(({ appName }) => appName === app);
    return wanted.slice(0, limit);
  }

  /** A run has begun. Returns at once: nothing waits for the disk. */
  begin(run: BegunRun): void {
    const { dir, output, log } = this.#deps;
    const folder = join(dir, run.runId);
    const begun = mkdir(folder, { recursive: true, mode: 0o700 })
      .then(() => writeJsonFile(join(folder, BEGUN), run))
      .catch((error: unknown) => log.error(`apps: the begin of run ${run.runId} could not be kept`, error));
    this.#current = { runId: run.runId, output: new RunOutput({ dir: folder, lines: output, log }), begun };
  }

  /** The current run has written something. */
  wrote(): void {
    this.#current?.output.changed();
  }

  /** The current run is over, and its output complete. Settles once that is kept. Never rejects. */
  async end(run: AppRun): Promise<void> {
    const { dir, publish, log } = this.#deps;
    const current = this.#current;
    this.#current = null;
    await Promise.all([current?.output.close(), current?.begun]);
    try {
      await this.#add([run]);
      await rm(join(dir, run.runId, BEGUN), { force: true });
    } catch (error) {
      log.error(`apps: run ${run.runId} could not be kept`, error);
    }
    publish({ type: 'app-run.ended', run });
  }

  /** Forgets the runs of an app, which is gone, and what they wrote. */
  async forget(appName: string): Promise<void> {
    await this.#keep(this.#runs.filter((run) => run.appName !== appName));
  }

  /**
   * Output of one run, the current one too.
   * @throws RunNotFound when there is no such run, or nothing of it is kept any more
   */
  async page(runId: string, after?: number): Promise<OutputPage> {
    const { dir, output } = this.#deps;
    const inMemory = output.page(after);
    const isCurrent = inMemory.runId === runId;
    const appName = isCurrent ? inMemory.appName : this.#runs.find((run) => run.runId === runId)?.appName;
    if (!appName) throw new RunNotFound(runId);
    if (isCurrent && (after === undefined || after + 1 >= inMemory.firstKept)) {
      return { ...inMemory, firstKept: (await firstKept(join(dir, runId))) ?? inMemory.firstKept };
    }
    const kept = await readOutput(join(dir, runId), PAGE_LINES, after);
    if (kept) return { runId, appName, ...kept, last: isCurrent ? inMemory.last : kept.last };
    if (isCurrent) return inMemory;
    throw new RunNotFound(runId);
  }

  /** The runs whose daemon ended before they did. */
  async #interrupted(): Promise<AppRun[]> {
    const known = new Set(this.#runs.map(({ runId }) => runId));
    const unknown = (await this.#folders()).filter((runId) => !known.has(runId));
    const runs = await Promise.all(unknown.map((runId) => this.#interruptedRun(runId)));
    return runs.filter((run) => run !== null).sort((a, b) => b.startedAt.localeCompare(a.startedAt));
  }

  async #interruptedRun(runId: string): Promise<AppRun | null> {
    const folder = join(this.#deps.dir, runId);
    const begun = await readJsonFile(join(folder, BEGUN), BegunRun).catch(() => null);
    if (!begun) return null; // killed before that was written: nobody was told of this run
    const lastLine = (await readOutput(folder, 1))?.lines.at(-1);
    return {
      ...begun,
      runId,
      endedAt: lastLine?.at ?? begun.startedAt,
      outcome: 'killed',
      exitCode: null,
      signal: null,
      message: 'The daemon ended while it ran.',
      diagnosis: null,
      killed: [],
    };
  }

  /** In the order that they ended, whatever the clock says. */
  #add(newer: readonly AppRun[]): Promise<void> {
    return this.#keep([...newer, ...this.#runs].slice(0, KEPT_RUNS));
  }

  async #keep(runs: AppRun[]): Promise<void> {
    this.#runs = runs;
    await writeJsonFile(this.#deps.file, { runs });
    const kept = withOutput(runs);
    for (const runId of await this.#folders()) {
      if (!kept.has(runId) && runId !== this.#current?.runId)
        await rm(join(this.#deps.dir, runId), { recursive: true, force: true });
    }
  }

  async #folders(): Promise<string[]> {
    const names = await readdir(this.#deps.dir).catch(() => []);
    return names.filter((name) => RUN_ID.test(name));
  }
}

/** Whose output is kept. @param runs newest first */
export function withOutput(runs: readonly AppRun[]): Set<string> {
  const ofApp = new Map<string, number>();
  const kept = new Set<string>();
  for (const { runId, appName } of runs) {
    const count = (ofApp.get(appName) ?? 0) + 1;
    ofApp.set(appName, count);
    if (count <= KEPT_OUTPUTS.ofApp && kept.size < KEPT_OUTPUTS.inAll) kept.add(runId);
  }
  return kept;
}
