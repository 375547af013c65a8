import type { AppSource } from '../../../daemon/contract/apps/app-source.ts';
import type { InstalledApp } from '../../../daemon/contract/apps/apps.ts';
import type { AppRun } from '../../../daemon/contract/apps/runs.ts';
import { commitOf } from '../../../daemon/contract/apps/source-text.ts';
import { shortCommit } from '../../parts/format.ts';

interface Version {
  readonly version: string;
  readonly source: AppSource;
}

/** `1.2.0`; with the commit if `other` has the same number: `1.2.0 (0a1b2c3)`. */
export function versionText(version: Version, other?: Version): string {
  const commit = commitOf(version.source);
  const ambiguous = other !== undefined && other.version === version.version;
  return ambiguous && commit !== null ? `${version.version} (${shortCommit(commit)})` : version.version;
}

/** An update is available and the app is not pinned. */
export const isUpdatable = ({ update, pinned }: InstalledApp): boolean => update !== null && !pinned;

/** Whether that run caused the app's automatic rollback. Compares times too: two versions may have one number. */
export const causedRollback = ({ appName, version, startedAt }: AppRun, { name, rolledBack }: InstalledApp): boolean =>
  appName === name &&
  rolledBack !== null &&
  rolledBack.automatic &&
  rolledBack.from.version === version &&
  startedAt <= rolledBack.at;

/** Says that the version that was rolled back automatically is not offered again; null if none was. */
export function rolledBackText(app: InstalledApp): string | null {
  if (!app.rolledBack?.automatic) return null;
  const version = versionText(app.rolledBack.from, app);
  // Folders and samples offer no updates.
  const offers = app.source.kind === 'git' || app.source.kind === 'space';
  return `${version} crashed here${offers ? ', so it is not offered as an update again' : ''}.`;
}

/** The key by which the app's last rollback is dismissed. */
export const rollbackKey = ({ name, rolledBack }: InstalledApp): string => `rollback ${name} ${rolledBack?.at ?? ''}`;
