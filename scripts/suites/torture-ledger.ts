import { createHash } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execaSync } from 'execa';
import { projectDir } from '../environment/project.ts';
import { areaOf, areas, isNoInput } from './areas.ts';
import { nameOfFailed } from './failed-test.ts';
import type { SuiteResult } from './suite-result.ts';

/** A whole run of an area's tests at their full length. */
export interface LedgerEntry {
  /** In the format of ISO 8601. */
  readonly at: string;
  /** A hash of the area's files and of what all areas share, see `inputsOf`. */
  readonly inputs: string;
  /** `TORTURE_SEED`, which repeats it. */
  readonly seed: string;
  readonly passed: number;
  /** The quarantined tests that failed are among them. */
  readonly failed: number;
  readonly skipped: number;
  /** The names of the tests that passed only when they were repeated. */
  readonly flaky: readonly string[];
}

/** The runs of each area, the latest last. */
export type Ledger = Readonly<Record<string, readonly LedgerEntry[]>>;

const FILE = 'scripts/suites/torture-ledger.json';
/** Hashed in part, and the ledger itself, which a run changes. */
const others = ['package.json', 'package-lock.json', FILE];
/** So many runs of an area stay: enough to see that a test is flaky again. */
const KEPT = 5;

/** @param folder of the project */
export function readLedger(folder = projectDir): Ledger {
  const file = join(folder, FILE);
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Ledger) : {};
}

/** Adds a run that has just ended. @param inputs of the time when it began */
export function recordRun(area: string, inputs: string, seed: string, result: SuiteResult, folder = projectDir): void {
  const { passed, skipped, quarantined = 0, flaky = [] } = result;
  const failed = result.failed + quarantined;
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
 * Hashes the files that Git tracks, as they are on the disk.
 * @returns for each area a hash of its rooms with their tests, of the files that have no area, and of the packages. It does not
 *   change with the rooms of other areas, on which its tests may depend too.
 * @throws ExecaError where Git cannot list the files of the project
 */
export function inputsOf(folder = projectDir): Readonly<Record<string, string>> {
  const { stdout } = execaSync('git', ['ls-files', '-z'], { cwd: folder, timeout: 60_000, maxBuffer: 100_000_000 });
  const isHashed = (path: string) => path !== '' && !others.includes(path) && !isNoInput(path);
  const files = stdout.split('\0').filter((path) => isHashed(path) && existsSync(join(folder, path)));
  const byArea = Object.groupBy(files.sort(), (path) => areaOf(path) ?? '');
  const linesOf = (paths: readonly string[] = []) =>
    paths.map((path) => `${path}\0${hashOf(readFileSync(join(folder, path)))}\n`).join('');
  const ofEvery = `${linesOf(byArea[''])}${runOf(folder)}${packagesOf(folder)}`;
  return Object.fromEntries(
    Object.keys(areas).map((area) => [area, hashOf(`${linesOf(byArea[area])}${ofEvery}`).slice(0, 16)]),
  );
}

function hashOf(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}

/** @returns what the package file says of a run: not the version, which a release changes */
function runOf(folder: string): string {
  const { type, main, bin, engines, config, scripts } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  return JSON.stringify({ type, main, bin, engines, config, scripts });
}

/** @returns the packages of the lock file without the project itself, whose version a release changes */
function packagesOf(folder: string): string {
  const lock = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8'));
  const { '': _, ...packages } = (lock as { packages: Record<string, unknown> }).packages;
  return JSON.stringify(packages);
}

/** @returns a sentence for each area whose last whole run says nothing about the project as it is, failed, or skipped too much */
export function openAreas(ledger: Ledger, inputs: Readonly<Record<string, string>>): string[] {
  return Object.entries(inputs).flatMap(([area, now]) => {
    const last = ledger[area]?.at(-1);
    if (!last) return [`${area} has no long run yet.`];
    const run = `its long run of ${last.at.slice(0, 10)}`;
    if (last.inputs !== now) return [`${area} has changed since ${run}.`];
    if (last.failed > 0) return [`${area} failed in ${run}.`];
    const expected = areas[area]?.skips ?? 0;
    return last.skipped > expected
      ? [`${area} skipped more tests than expected in ${run}: ${last.skipped}, not ${expected}.`]
      : [];
  });
}

/**
 * Compares the recorded runs whose inputs equal those of their area's last run: a change since then may have repaired a test.
 * @returns the tests that were flaky in at least two of them
 */
export function flakyAgain(ledger: Ledger): string[] {
  const runs = Object.values(ledger).flatMap((runs) => runs.filter(({ inputs }) => inputs === runs.at(-1)?.inputs));
  const names = runs.flatMap(({ flaky }) => [...new Set(flaky)]);
  return [...new Set(names.filter((name, index) => names.indexOf(name) !== index))].sort();
}
