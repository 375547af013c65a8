import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectDir } from '../environment/project.ts';
import { kindOf } from './areas.ts';
import type { FileFigures } from './measured-file.ts';

/** The cost of a step of a run: of a suite, or of several that ran at once. */
export interface StepFigures {
  readonly suites: readonly string[];
  readonly durationS: number;
  /** Of the programs of the step and all their descendants; 0 on other systems than Linux. */
  readonly processorS: number;
}

const RESULTS = join(projectDir, 'test-results');
/** Enough files to show where the time of a run goes. */
const MOST_EXPENSIVE = 10;
/** Processor seconds, above which a file of `npm test` says in its first lines why it takes them. */
const EXPLAINED_S = 10;
/** Processor seconds, above which a file belongs in torture. */
const TORTURE_S = 30;

/**
 * Writes the figures of a run to `test-results/<name>.json`.
 * @returns lines for the end of its output: the steps, and the files that take the most processor time
 */
export function reportFigures(name: string, steps: readonly StepFigures[], files: readonly FileFigures[]): string[] {
  mkdirSync(RESULTS, { recursive: true });
  const figures = { at: new Date().toISOString(), steps, files: byCost(files) };
  writeFileSync(join(RESULTS, `${name}.json`), `${JSON.stringify(figures, null, 2)}\n`);
  return [
    'Processor seconds of the steps:',
    ...steps.map(({ suites, processorS }) => `  ${processorS.toFixed(0).padStart(5)}  ${suites.join(', ')}`),
    'The files that take the most processor time, in processor seconds, seconds and processes started:',
    ...byCost(files).slice(0, MOST_EXPENSIVE).map(rowOf),
  ];
}

/** @returns a sentence for each file that takes more processor time than `npm test` has for it; those of torture, whose smoke tests it runs, may */
export function tooExpensive(files: readonly FileFigures[], read = firstLine): string[] {
  return files.flatMap(({ file, processorS }) => {
    if (kindOf(file) === 'torture') return [];
    if (processorS > TORTURE_S)
      return [`${file} takes ${processorS.toFixed(0)} processor seconds: it belongs in torture.`];
    if (processorS <= EXPLAINED_S || read(file).startsWith('/**')) return [];
    return [`${file} takes ${processorS.toFixed(0)} processor seconds: say why in its first lines.`];
  });
}

function byCost(files: readonly FileFigures[]): FileFigures[] {
  return [...files].sort((a, b) => b.processorS - a.processorS);
}

function rowOf({ file, processorS, durationS, processes }: FileFigures): string {
  const numbers = [processorS.toFixed(1).padStart(7), durationS.toFixed(1).padStart(7), String(processes).padStart(5)];
  return `${numbers.join(' ')}  ${file}`;
}

function firstLine(file: string): string {
  return readFileSync(join(projectDir, file), 'utf8').split('\n', 1)[0] ?? '';
}
