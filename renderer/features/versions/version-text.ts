import { type AppSource, commitOf } from '../../../daemon/contract/apps/app-source.ts';
import type { InstalledApp } from '../../../daemon/contract/apps/apps.ts';
import type { AppRun } from '../../../daemon/contract/apps/runs.ts';
import { shortCommit } from '../../parts/format.ts';

interface Version {
  readonly version: string;
  readonly source: AppSource;
}

/** `1.2.0`, and with its commit where `other` has the same number: `1.2.0 (0a1b2c3)`. */
export function versionText(version: Version, other?: Version): string {
  const commit = commitOf(version.source);
  const ambiguous = other !== undefined && other.version === version.version;
  return ambiguous && commit !== null ? `${version.version} (${shortCommit(commit)})` : version.version;
}

/** Something newer is known, and it may be installed. */
export const isUpdatable = ({ update, pinned }: InstalledApp): boolean => update !== null && !pinned;

/** That run is why the app returned to an earlier version by itself. Two versions may have one number. */
export const causedRollback = ({ appName, version, startedAt }: AppRun, { name, rolledBack }: InstalledApp): boolean =>
  appName === name &&
  rolledBack !== null &&
  rolledBack.automatic &&
  rolledBack.from.version === version &&
  startedAt <= rolledBack.at;

/** Why a version that was taken back by itself is not offered as an update; null: none was. */
export function rolledBackText(app: InstalledApp): string | null {
  if (!app.rolledBack?.automatic) return null;
  const version = versionText(app.rolledBack.from, app);
  // Folders offer nothing: what is in them is installed again whenever one wants it.
  const offers = app.source.kind === 'git' || app.source.kind === 'space';
  return `${version} crashed here${offers ? ' and is not offered again' : ''}.`;
}

/** Names the app's last return to an earlier version, as something that is read and put away. */
export const rollbackKey = ({ name, rolledBack }: InstalledApp): string => `rollback ${name} ${rolledBack?.at ?? ''}`;
