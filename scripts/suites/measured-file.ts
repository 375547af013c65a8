/**
 * Setup of every test file that vitest runs: notes its cost in `meta.figures`, see `FileFigures`. The files of
 * a worker run one after another, so its processor time belongs to the file that runs.
 */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { relative } from 'node:path';
import { afterAll, beforeEach, type RunnerTestFile } from 'vitest';
import { projectDir } from '../environment/project.ts';
import { childrenProcessorS } from './children-processor-time.ts';

/** The cost of a test file, its imports included. */
export interface FileFigures {
  /** The path relative to the project, with slashes. */
  readonly file: string;
  readonly durationS: number;
  /** Processor time of the worker and, on Linux, of the processes that it started and that have ended. */
  readonly processorS: number;
  /** The processes that the worker started itself, without those that it waited for synchronously. */
  readonly processes: number;
}

declare module 'vitest' {
  interface TaskMeta {
    figures?: FileFigures;
  }
}

const startMs = performance.now();
const startProcessorS = processorS();
let processes = 0;
const count = () => {
  processes += 1;
};
subscribe('child_process', count);

let file: RunnerTestFile | undefined;
beforeEach(({ task }) => {
  file = task.file;
});
afterAll(() => {
  unsubscribe('child_process', count);
  if (!file) return; // all of its tests are skipped
  file.meta.figures = {
    file: relative(projectDir, file.filepath).replaceAll('\\', '/'),
    durationS: rounded((performance.now() - startMs) / 1000),
    processorS: rounded(processorS() - startProcessorS),
    processes,
  };
});

function processorS(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6 + childrenProcessorS();
}

function rounded(seconds: number): number {
  return Math.round(seconds * 100) / 100;
}
