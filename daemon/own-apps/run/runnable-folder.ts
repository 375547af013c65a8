import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { CodeCheck } from '../../app-package/author/code-findings.ts';
import { moduleFile } from '../../app-package/package-files.ts';
import { settingsPageFrom } from '../../app-package/settings-page.ts';
import { checkReport, preventsRun } from '../../assistant/check/check-report.ts';
import type { CheckedFiles } from '../../assistant/check/check-rules.ts';
import { identityOf } from '../../contract/apps/app-source.ts';
import type { AppManifest, InstalledApp, SettingsPage } from '../../contract/apps/apps.ts';
import type { CheckFinding } from '../../contract/apps/own-apps.ts';

/** An app's folder as it is to be run now. */
export interface RunnableFolder {
  readonly manifest: AppManifest;
  /** The folder that holds its package, an absolute path. */
  readonly importRoot: string;
  /** The same with slashes from the app's folder; empty: its top. */
  readonly importFolder: string;
  /** null: it has none. undefined: only the import can tell. */
  readonly settingsPage: SettingsPage | null | undefined;
}

export interface InspectedFolder {
  readonly findings: readonly CheckFinding[];
  /** null: the findings say why it cannot run. */
  readonly runnable: RunnableFolder | null;
}

/** Decides from a check of its files whether an app can run from its folder, and how. */
export function inspectedFolder({ folder, files, manifest, findings, code }: CheckedFiles): InspectedFolder {
  const report = checkReport(findings, { checkedAt: '', built: false });
  const module = manifest && moduleFile(files, manifest.module);
  if (!module || report.findings.some(preventsRun)) return { findings: report.findings, runnable: null };
  const { root: importFolder } = module;
  const importRoot = join(folder, importFolder);
  return {
    findings: report.findings,
    runnable: { manifest, importFolder, importRoot, settingsPage: settingsPageIn(code) },
  };
}

function settingsPageIn(code: CodeCheck | null): RunnableFolder['settingsPage'] {
  if (!code?.facts) return undefined;
  const { page } = code.facts;
  if (page === null) return code.facts.class === null ? undefined : null;
  return page.text === null ? undefined : settingsPageFrom(page.text);
}

/** Whether an app's environment has to be built before it can run from its folder, since its declarations differ. */
export function needsBuild(installed: InstalledApp | null, wanted: AppManifest, folder: string): boolean {
  if (!installed || identityOf(installed.source) !== identityOf({ kind: 'folder', path: folder })) return true;
  return !isDeepStrictEqual(declarationsOf(installed), declarationsOf(wanted));
}

/** The title, the description and the version are read from the folder at each start. */
function declarationsOf(app: AppManifest | InstalledApp) {
  const { name, distribution, module, className, requiresPython, dependencies, baseline, needs } = app;
  const declared = needs.map((need) => ({ ...need, endpoint: undefined }));
  return { name, distribution, module, className, requiresPython, dependencies, baseline, needs: declared };
}
