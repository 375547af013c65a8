import type { CheckDeps } from '../../assistant/check/check-deps.ts';
import { checkSteps, fixFindings, fullCheck, quickCheck } from '../../assistant/check/check-own-app.ts';
import { exitCodeOf } from '../../assistant/check/check-report.ts';
import { formatReport } from '../../assistant/check/format-report.ts';
import type { CheckReport } from '../../contract/apps/own-apps.ts';
import { interruptible } from '../shared/interruptible.ts';
import { print, printError } from '../shared/print.ts';
import { ProgressLine, stepProgress } from '../shared/progress-line.ts';
import { checkDeps, existingFolder, type Folders } from './environment.ts';

interface CheckOptions {
  readonly build: boolean;
  readonly fix?: boolean;
  readonly strict?: boolean;
  readonly json?: boolean;
  readonly sarif?: boolean;
}

/** `robot-app-assistant check` */
export async function check(path: string, options: CheckOptions, folders: Folders): Promise<void> {
  const folder = await existingFolder(path);
  const deps = await checkDeps(folders);
  await interruptible(async (signal) => {
    if (options.fix) await fix(folder, deps, signal);
    const report = options.build ? await built(folder, deps, signal) : await quickCheck(folder, deps, signal);
    print(formatReport(report, folder, options.json ? 'json' : options.sarif ? 'sarif' : 'text'));
    process.exitCode = exitCodeOf(report, { strict: options.strict ?? false });
  });
}

async function built(folder: string, deps: CheckDeps, signal: AbortSignal): Promise<CheckReport> {
  using line = new ProgressLine();
  return fullCheck(folder, deps, stepProgress(checkSteps, line, signal));
}

async function fix(folder: string, deps: CheckDeps, signal: AbortSignal): Promise<void> {
  const { findings } = await quickCheck(folder, deps, signal);
  const fixable = findings.filter((finding) => finding.fixable);
  for (const file of await fixFindings(folder, fixable)) printError(`Repaired: ${file}`);
}
