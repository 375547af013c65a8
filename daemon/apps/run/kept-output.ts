import { join } from 'node:path';
import type { AppRun, OutputLine, RunOutputFile, RunOutputPage } from '../../contract/apps/runs.ts';
import { Mutex } from '../../shared/async/mutex.ts';
import { type LineFilter, type LineQuery, LineSelection, lineMatcher } from '../../shared/line-selection.ts';
import { RunNotFound } from './errors.ts';
import type { AppOutput } from './output/app-output.ts';
import { errorLines } from './output/error-lines.ts';
import { outputFile } from './output/output-file.ts';
import { PAGE_CHARACTERS, PAGE_LINES } from './output/page-size.ts';
import { readAll } from './output/run-output-reader.ts';

export interface KeptOutputDeps {
  /** Holds a folder for each run, with its output. */
  readonly dir: string;
  /** Output of the current or last run. */
  readonly output: AppOutput;
}

/** Everything that is kept of the output of runs: on the disk, and of the current or last run in memory. */
export class KeptOutput {
  readonly #deps: KeptOutputDeps;
  /** One read at a time, since each takes the time of the processor. */
  readonly #reading = new Mutex();

  constructor(deps: KeptOutputDeps) {
    this.#deps = deps;
  }

  /** @param run its record; undefined while it runs, or if there is no such run @throws RunNotFound */
  async page(runId: string, run: AppRun | undefined, query: LineQuery): Promise<RunOutputPage> {
    const selection = new LineSelection<OutputLine>(
      query,
      { lines: PAGE_LINES, characters: PAGE_CHARACTERS },
      errorLines(),
    );
    const appName = await this.#read(runId, run, (line) => selection.add(line));
    return { runId, appName, ...selection.result() };
  }

  /** All of it, or the lines that are looked for, as a text file. @throws RunNotFound */
  async file(runId: string, run: AppRun | undefined, filter: LineFilter = {}): Promise<RunOutputFile> {
    const lines: OutputLine[] = [];
    const matches = lineMatcher(filter, errorLines());
    let [kept, last, since] = [0, 0, ''];
    const appName = await this.#read(runId, run, (line) => {
      kept += 1;
      last = line.number;
      since ||= line.at;
      if (matches(line)) lines.push(line);
    });
    return outputFile({ runId, appName }, run ?? null, { kept, last, filter, lines, since });
  }

  /** Passes on every line in order: the stored ones, then those in memory only. @returns the name of the app */
  #read(runId: string, run: AppRun | undefined, add: (line: OutputLine) => void): Promise<string> {
    const { dir, output } = this.#deps;
    return this.#reading.run(async () => {
      const inMemory = output.run?.runId === runId ? output.run : null;
      const appName = inMemory?.appName ?? run?.appName;
      const stored = await readAll(join(dir, runId));
      if (appName === undefined || !(stored || inMemory)) throw new RunNotFound(runId);
      let last = 0;
      const addNew = (lines: readonly OutputLine[]) => {
        for (const line of lines) {
          if (line.number <= last) continue; // a damaged file
          last = line.number;
          add(line);
        }
      };
      for await (const lines of stored ?? []) addNew(lines);
      if (inMemory && output.run?.runId === runId) addNew(output.after(last, Number.POSITIVE_INFINITY));
      return appName;
    });
  }
}
