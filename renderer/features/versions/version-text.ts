import type { AppSource } from '../../../daemon/contract/apps/app-source.ts';
import type { InstalledApp } from '../../../daemon/contract/apps/apps.ts';
import type { AppRun } from '../../../daemon/contract/apps/runs.ts';
import { commitOf, sourceText } from '../../../daemon/contract/apps/source-text.ts';
import { shortCommit } from '../../parts/format.ts';

/** Of an app that the user writes: where it was installed from. */
export const ownFolderText = (folder: string): string => `From your folder ${folder}`;

interface Version {
  readonly version: string;
  readonly source: AppSource;
}

/** Where an app is from, in a few words: `anna/wave`, `your folder`. */
export function originText(source: AppSource): string {
  if (source.kind === 'folder') return 'your folder';
  return source.kind === 'space' ? source.id : sourceText(source);
}

/**
 * `1.2.0`; if `other` has the same number, with the commit: `1.2.0 (0a1b2c3)`. A folder and what is published from it
 * differ by where they are from: `1.2.0 (anna/wave)`.
 */
export function versionText(version: Version, other?: Version): string {
  if (other?.version !== version.version) return version.version;
  const isFolder = version.source.kind === 'folder';
  if (isFolder !== (other.source.kind === 'folder')) return `${version.version} (${originText(version.source)})`;
  const commit = commitOf(version.source);
  return commit === null ? version.version : `${version.version} (${shortCommit(commit)})`;
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

export const runningText = (action: string): string => `It is running: stop it, then ${action.toLowerCase()}.`;
export const pinnedText = 'It is pinned to its version.';
export const stopFirstText = 'Stop it first.';
export const pinHelp = 'While this is on, no update is installed.';

/** @param previous the version that a failure restores; undefined: it is not known */
export const trialText = (previous: string = 'the earlier version'): string =>
  `This update is on trial: if its next start fails at once, ${previous} is restored automatically.`;

/** The effect of an update on the files that an app has saved. */
export const savedFilesText =
  'An update keeps the files that the app has saved; of those beside its code, at most 1 GB. Changed files of its code are replaced.';
export const returnHelp = 'Takes effect at once; you can return in the same way.';
export const noPreviousText = 'The next update keeps this version, so that you can return to it.';

/** The result of the last check for updates. */
export function updateCheckText(app: InstalledApp): string {
  if (app.updateProblem !== null) return `Could not check for updates: ${app.updateProblem}`;
  // The version that was rolled back is newer; the panel below shows it.
  const { rolledBack } = app;
  return rolledBack?.automatic
    ? `No version newer than ${versionText(rolledBack.from, app)} found.`
    : 'No update found.';
}
/** Of folders and samples, which have no versions to compare. */
export const againText = (kind: AppSource['kind']): string =>
  `${kind === 'folder' ? 'Changes in its folder apply' : 'A newer sample is used'} when it is installed again.`;
