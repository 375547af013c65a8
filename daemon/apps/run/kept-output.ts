import { join } from 'node:path';
import type { AppRun, OutputLine, RunOutputFile, RunOutputPage } from '../../contract/apps/runs.ts';
import { Mutex } from '../../shared/async/mutex.ts';
import { RunNotFound } from './errors.ts';
import type { AppOutput } from './output/app-output.ts';
import { PAGE_CHARACTERS, PAGE_LINES } from './output/bounded-lines.ts';
import { outputFile } from './output/output-file.ts';
import { type OutputQuery, OutputSelection } from './output/output-selection.ts';
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
  async page(runId: string, run: AppRun | undefined, query: OutputQuery): Promise<RunOutputPage> {
    const selection = new OutputSelection(query, { lines: PAGE_LINES, characters: PAGE_CHARACTERS });
    const appName = await this.#read(runId, run, (line) => selection.add(line));
    return { runId, appName, ...selection.result() };
  }

  /** All of it as a text file. @throws RunNotFound */
  async file(runId: string, run: AppRun | undefined): Promise<RunOutputFile> {
    const lines: OutputLine[] = [];
    const appName = await this.#read(runId, run, (line) => lines.push(line));
    return outputFile({ runId, appName }, run ?? null, lines);
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
