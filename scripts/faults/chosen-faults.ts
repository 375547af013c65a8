import { globSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Instrumenter } from '@stryker-mutator/instrumenter';
import { execa } from 'execa';
import { seededRandom } from '../../daemon/testing/seeded-random.ts';
import { projectDir } from '../environment/project.ts';
import { areaOf } from '../suites/areas.ts';

/** A fault as a patch of one production file. */
export interface ChosenFault {
  /** Number, area and kind: the name of its patch. */
  readonly name: string;
  /** In the format of `git diff`. */
  readonly patch: string;
}

interface Position {
  readonly line: number;
  readonly column: number;
}

/** Texts are left out: most are for people, and a wrong one is not the kind of fault that a test of behaviour finds. */
const options = { ignorers: [], excludedMutations: ['StringLiteral'], plugins: null, noHeader: true };
const noLogger = new Proxy({} as never, { get: () => () => false });

/**
 * Chooses faults of production code, as many from each area, one from a file at most. The kinds are those of Stryker: a
 * condition that is always true, an operator turned round, an empty block, and so on.
 * @param seed chooses the same faults of the same code
 * @throws the reason of the signal, with the tree as it was
 */
export async function chooseFaults(seed: number, count: number, signal: AbortSignal): Promise<ChosenFault[]> {
  const random = seededRandom(seed);
  const filesOf = Object.values(Object.groupBy(shuffled(productionFiles(), random), (file) => areaOf(file) ?? ''));
  const faults: ChosenFault[] = [];
  while (faults.length < count && filesOf.some((files) => files && files.length > 0))
    for (const files of filesOf) {
      signal.throwIfAborted();
      const fault = await nextFault(files ?? [], faults.length + 1, random);
      if (fault && faults.length < count) faults.push(fault);
    }
  return faults;
}

/** @returns whether the product has this source file, or is built by it: it is no test, and no tool of the tests */
export function isProduction(path: string): boolean {
  const ofTests = /\.(test|spec|d)\.tsx?$|(^|\/)testing\/|^scripts\/(suites|faults)\//;
  return !ofTests.test(path) && areaOf(path) !== undefined;
}

function productionFiles(): string[] {
  return globSync('{daemon,electron,renderer,scripts}/**/*.{ts,tsx}', { cwd: projectDir })
    .map((path) => path.replaceAll('\\', '/'))
    .filter(isProduction)
    .sort();
}

/** Takes files from the list until one has a place for a fault. */
async function nextFault(files: string[], number: number, random: () => number): Promise<ChosenFault | null> {
  for (let file = files.pop(); file !== undefined; file = files.pop()) {
    const path = join(projectDir, file);
    const content = await readFile(path, 'utf8');
    const { mutants } = await new Instrumenter(noLogger).instrument([{ name: file, content, mutate: true }], options);
    const wanted = mutants.filter(({ status }) => status !== 'Ignored');
    const mutant = wanted[Math.floor(random() * wanted.length)];
    if (!mutant) continue;
    const { start, end } = mutant.location;
    const faulty = content.slice(0, offset(content, start)) + mutant.replacement + content.slice(offset(content, end));
    const patch = await patchOf(path, content, faulty);
    if (patch === '') continue;
    return { name: `${String(number).padStart(3, '0')}-${areaOf(file)}-${mutant.mutatorName}`, patch };
  }
  return null;
}

/** @param position with lines and columns from 0 */
function offset(content: string, { line, column }: Position): number {
  const before = content.split('\n').slice(0, line);
  return before.reduce((sum, text) => sum + text.length + 1, column);
}

async function patchOf(path: string, content: string, faulty: string): Promise<string> {
  try {
    await writeFile(path, faulty);
    return (await execa('git', ['diff', '--', path], { cwd: projectDir, stripFinalNewline: false })).stdout;
  } finally {
    await writeFile(path, content);
  }
}

/** The same elements in an order of chance (Fisher and Yates). */
function shuffled<T>(elements: readonly T[], random: () => number): T[] {
  const result = [...elements];
  for (let i = result.length - 1; i > 0; i -= 1) {
    const j = Math.floor(random() * (i + 1));
    [result[i], result[j]] = [result[j] as T, result[i] as T];
  }
  return result;
}
