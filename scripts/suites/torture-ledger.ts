import { createHash } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execaSync } from 'execa';
import { projectDir } from '../environment/project.ts';
import { areaOf, areas } from './areas.ts';
import { nameOfFailed } from './failed-test.ts';
import type { SuiteResult } from './suite-result.ts';

/** A whole run of an area's tests at their full length. */
export interface LedgerEntry {
  /** In the format of ISO 8601. */
  readonly at: string;
  /** A hash of all that the area's tests depend on, see `inputsOf`. */
  readonly inputs: string;
  /** `TORTURE_SEED`, which repeats it. */
  readonly seed: string;
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** The names of the tests that passed only when they were repeated. */
  readonly flaky: readonly string[];
}

/** The runs of each area, the latest last. */
export type Ledger = Readonly<Record<string, readonly LedgerEntry[]>>;

const FILE = 'scripts/suites/torture-ledger.json';
/** So many runs of an area stay: enough to see that a test is flaky again. */
const KEPT = 5;

/** @param folder of the project */
export function readLedger(folder = projectDir): Ledger {
  const file = join(folder, FILE);
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Ledger) : {};
}

/** Adds a run that has just ended. @param inputs of the time when it began */
export function recordRun(area: string, inputs: string, seed: string, result: SuiteResult, folder = projectDir): void {
  const { passed, failed, skipped, flaky = [] } = result;
  const names = flaky.map(nameOfFailed);
  const entry: LedgerEntry = { at: new Date().toISOString(), inputs, seed, passed, failed, skipped, flaky: names };
  const ledger = readLedger(folder);
  const next = { ...ledger, [area]: [...(ledger[area] ?? []), entry].slice(-KEPT) };
  const sorted = Object.fromEntries(Object.entries(next).sort(([a], [b]) => (a < b ? -1 : 1)));
  const file = join(folder, FILE);
  writeFileSync(`${file}.new`, `${JSON.stringify(sorted, null, 2)}\n`);
  renameSync(`${file}.new`, file);
}

/**
 * @returns for each area a hash of its rooms, of their tests, and of the packages: it changes when a long run may end otherwise
 * @throws ExecaError where Git cannot list the files of the project
 */
export function inputsOf(folder = projectDir): Readonly<Record<string, string>> {
  const list = ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--deduplicate'];
  const { stdout } = execaSync('git', list, { cwd: folder, timeout: 60_000, maxBuffer: 100_000_000 });
  const isThere = (path: string) => path !== '' && path !== FILE && existsSync(join(folder, path));
  const files = stdout.split('\0').filter(isThere);
  const packages = packagesOf(readFileSync(join(folder, 'package-lock.json'), 'utf8'));
  const byArea = Object.groupBy(files.sort(), (path) => areaOf(path) ?? '');
  return Object.fromEntries(
    Object.keys(areas).map((area) => {
      const hash = createHash('sha256');
      for (const path of byArea[area] ?? []) {
        const content = createHash('sha256').update(readFileSync(join(folder, path)));
        hash.update(`${path}\0${content.digest('hex')}\n`);
      }
      hash.update(packages);
      return [area, hash.digest('hex').slice(0, 16)];
    }),
  );
}

/** @returns the packages of a lock file without the project itself, whose version a release changes */
function packagesOf(lock: string): string {
  const { '': _, ...packages } = (JSON.parse(lock) as { packages: Record<string, unknown> }).packages;
  return JSON.stringify(packages);
}

/** @returns a sentence for each area whose last whole run says nothing about the project as it is, or failed */
export function openAreas(ledger: Ledger, inputs: Readonly<Record<string, string>>): string[] {
  return Object.entries(inputs).flatMap(([area, now]) => {
    const last = ledger[area]?.at(-1);
    if (!last) return [`${area} has no long run yet.`];
    if (last.inputs !== now) return [`${area} has changed since its long run of ${last.at.slice(0, 10)}.`];
    return last.failed > 0 ? [`${area} failed in its long run of ${last.at.slice(0, 10)}.`] : [];
  });
}

/** @returns the tests that were flaky in at least two of the recorded runs */
export function flakyAgain(ledger: Ledger): string[] {
  const names = Object.values(ledger).flatMap((runs) => runs.flatMap(({ flaky }) => [...new Set(flaky)]));
  return [...new Set(names.filter((name, index) => names.indexOf(name) !== index))].sort();
}
