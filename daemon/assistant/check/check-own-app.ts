import type { CheckFinding, CheckReport } from '../../contract/apps/own-apps.ts';
import type { CheckDeps, WorkProgress } from './check-deps.ts';
import { checkReport, preventsRun } from './check-report.ts';
import { appFolder, checkRules } from './check-rules.ts';

export const checkSteps = [
  { name: 'rules', title: 'Check the files' },
  { name: 'build', title: 'Build and install it' },
  { name: 'load', title: 'Load the app' },
] as const;

/**
 * Checks the files of an app by every rule, without building or running any of it. Writes nothing into the folder.
 * @throws AppFolderMissing, or the reason of the signal
 */
export async function quickCheck(folder: string, deps: CheckDeps, signal: AbortSignal): Promise<CheckReport> {
  const { findings } = await checkRules(folder, deps, signal);
  return checkReport(findings, { checkedAt: deps.clock.now().toISOString(), built: false });
}

/**
 * The quick check, then a build in a throw-away environment in which a child process loads the entry point. Nothing is
 * built when the files have a problem that prevents the install. Writes nothing into the folder.
 * @throws AppFolderMissing, StorageError, or the reason of the signal
 */
export async function fullCheck(folder: string, deps: CheckDeps, progress: WorkProgress): Promise<CheckReport> {
  progress.step('rules');
  const checked = await checkRules(folder, deps, progress.signal);
  const report = (more: Awaited<ReturnType<typeof checkRules>>['findings'], built: boolean) =>
    checkReport([...checked.findings, ...more], { checkedAt: deps.clock.now().toISOString(), built });
  const { manifest, findings } = checked;
  if (!manifest || findings.some(({ severity, code }) => preventsRun({ severity, id: code }))) return report([], false);
  const { buildForCheck } = await import('./build-for-check.ts');
  const built = await buildForCheck({ ...checked, manifest }, deps, progress);
  return report(built.findings, built.built);
}

/**
 * Repairs the findings that are fixable. A second repair changes nothing.
 * @returns the changed files, with slashes from the folder
 * @throws AppFolderMissing, StorageError
 */
export async function fixFindings(folder: string, findings: readonly CheckFinding[]): Promise<string[]> {
  const { applyFixes } = await import('./apply-fixes.ts');
  return applyFixes(await appFolder(folder), findings);
}
