import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readManifest } from '../../app-package/manifest.ts';
import type { CheckFinding, CheckReport } from '../../contract/apps/own-apps.ts';
import { NotPublishable, notPublishable, publishProblem } from '../errors.ts';

/** The declarations in an app's folder. */
export interface OwnPackage {
  readonly distribution: string;
  readonly version: string;
  readonly isVersionDynamic: boolean;
  /** The text of `pyproject.toml`. */
  readonly pyproject: string;
  /** Whether its README has the tag by which the store finds it. */
  readonly hasTag: boolean;
}

/** @throws NotPublishable when there is no app in the folder */
export async function readOwnPackage(folder: string): Promise<OwnPackage> {
  const [pyproject, readme] = await Promise.all(
    ['pyproject.toml', 'README.md'].map((name) => textOf(join(folder, name))),
  );
  const read = readManifest(pyproject?.replace(/^\uFEFF/, '') ?? null, readme?.replace(/^\uFEFF/, '') ?? null);
  if (!read.manifest) {
    throw new NotPublishable(
      read.problems.map(({ code, message, action }) =>
        publishProblem(code, message, { file: pyproject === null ? null : 'pyproject.toml', action: action ?? null }),
      ),
    );
  }
  return {
    distribution: read.manifest.distribution,
    version: read.pyproject.project.version ?? read.manifest.version,
    isVersionDynamic: read.pyproject.project.version === undefined,
    pyproject: pyproject ?? '',
    hasTag: read.warnings.length === 0, // each warning says why the store will not find it
  };
}

/** @returns null for a file that is missing or may not be read */
const textOf = (path: string) => readFile(path, 'utf8').catch(() => null);

export interface AppChecks {
  /** The quick check. */
  readonly check: (folder: string, signal: AbortSignal) => Promise<CheckReport>;
  /** Repairs findings. @returns the changed files */
  readonly fix: (folder: string, findings: readonly CheckFinding[]) => Promise<readonly string[]>;
}

/** The app, checked, and with the tag in its README. @throws NotPublishable */
export async function readyApp(
  folder: string,
  { check, fix }: AppChecks,
  signal: AbortSignal,
  log: (line: string) => void,
): Promise<OwnPackage> {
  const { findings } = await check(folder, signal);
  const problems = findings.filter(({ severity }) => severity === 'problem');
  if (problems.length > 0) throw new NotPublishable(problems);
  const app = await readOwnPackage(folder);
  if (app.hasTag) return app;
  const changed = await fix(
    folder,
    findings.filter(({ file, fixable }) => fixable && file === 'README.md'),
  );
  if (changed.length > 0) log('README.md gets the tag by which the app store finds the app.');
  const repaired = await readOwnPackage(folder);
  if (repaired.hasTag) return repaired;
  throw notPublishable(
    'no-tag',
    'The front matter of README.md lacks the tag robot_python_app, so no store would find it.',
    { file: 'README.md', action: 'Add it to the list `tags`.' },
  );
}
