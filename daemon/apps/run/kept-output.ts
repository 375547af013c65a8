import { join } from 'node:path';
import type { AppRun, OutputLine, RunOutputFile, RunOutputPage } from '../../contract/apps/runs.ts';
import { Mutex } from '../../shared/async/mutex.ts';
import { type LineFilter, type LineQuery, LineSelection, lineMatcher } from '../../shared/line-selection.ts';
import { linesFile } from '../../shared/lines-file.ts';
import { Tracebacks } from '../../shared/tracebacks.ts';
import { type AppOutput, PAGE_CHARACTERS, PAGE_LINES } from './app-output.ts';
import { RunNotFound } from './errors.ts';
import { readAll } from './run-output.ts';

/** Everything that is kept of the output of runs: on the disk, and of the current or last run in memory. */
export class KeptOutput {
  readonly #dir: string;
  readonly #output: AppOutput;
  /** One read at a time, since each takes the time of the processor. */
  readonly #reading = new Mutex();

  /** @param deps.dir holds a folder for each run, with its output; `output`: of the current or last run */
  constructor(deps: { readonly dir: string; readonly output: AppOutput }) {
    this.#dir = deps.dir;
    this.#output = deps.output;
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
    const output = this.#output;
    return this.#reading.run(async () => {
      const inMemory = output.run?.runId === runId ? output.run : null;
      const appName = inMemory?.appName ?? run?.appName;
      const stored = await readAll(join(this.#dir, runId));
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

/**
 * The output of a run as a text file.
 * @param run null while it runs
 * @param output.kept how many lines are kept; `last`: the number of the newest; `lines`: those that match the filter;
 * `since`: the time of the oldest, ISO, empty without one
 */
export function outputFile(
  { runId, appName }: Pick<AppRun, 'runId' | 'appName'>,
  run: AppRun | null,
  output: { kept: number; last: number; filter: LineFilter; lines: readonly OutputLine[]; since: string },
): { name: string; text: string } {
  const { kept, last, filter, lines, since } = output;
  return linesFile({
    program: appName,
    at: run?.startedAt ?? since,
    head: [
      `${appName}${run ? ` ${run.version}` : ''}, run ${runId}`,
      ...(run ? [`${run.startedAt} to ${run.endedAt}: ${run.message}`] : []),
      ...(last > kept ? [`${last - kept} of ${last} lines were not kept.`] : []),
    ],
    ...{ filter, kept, lines },
    mark: ({ stream }) => (stream === 'stderr' ? 'err' : 'out'),
  });
}

/** @returns whether a line tells of an error: those on stderr, and tracebacks printed on stdout. It gets every line, in order. */
function errorLines(): (line: OutputLine) => boolean {
  const tracebacks = new Tracebacks();
  return ({ stream, text }) => stream === 'stderr' || tracebacks.includes(text);
}
