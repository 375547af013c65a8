import type { CheckFinding, CheckReport } from '../../contract/apps/own-apps.ts';
import { type OwnPackage, readOwnPackage } from './own-package.ts';
import { NotPublishable, publishProblem } from './space/errors.ts';

/** The checks of apps. */
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
  throw new NotPublishable([
    publishProblem(
      'no-tag',
      'The front matter of README.md lacks the tag robot_python_app, so no store would find it.',
      {
        file: 'README.md',
        action: 'Add it to the list `tags`.',
      },
    ),
  ]);
}
