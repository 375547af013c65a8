import type { AppSlotState } from '../../contract/apps/app-slot.ts';
import { type AppSource, identityOf, type RequestedSource } from '../../contract/apps/app-source.ts';
import { sourceText } from '../../contract/apps/source-text.ts';
import { JobFailed } from '../../jobs/errors.ts';
import { isRunning } from '../installed/app-versions.ts';
import type { InstalledApps } from '../installed/installed-apps.ts';

export interface ReplacementDeps {
  readonly apps: InstalledApps;
  readonly slot: { readonly state: AppSlotState };
  /** Whether two sources are of the same app, such as its author's folder and the Space it is published as. */
  readonly isSameApp: (installed: AppSource, wanted: RequestedSource) => Promise<boolean>;
}

/**
 * Checks whether an app may be installed under a name, from a source.
 * @param replacement.whileRunning whether it may run: it goes on with the environment that it was started in
 * @throws JobFailed when the app that is installed under that name must not be replaced
 */
export async function checkReplacement(
  { appName, source, whileRunning }: { appName: string; source: RequestedSource; whileRunning: boolean },
  { apps, slot, isSameApp }: ReplacementDeps,
): Promise<void> {
  const before = apps.find(appName);
  const isOther =
    before &&
    (before.name !== appName ||
      (identityOf(before.source) !== identityOf(source) && !(await isSameApp(before.source, source))));
  const existing = apps.find(appName); // it may have been removed meanwhile
  if (existing && isOther) {
    throw new JobFailed({
      reason: 'name-clash',
      message: `Another app is installed under this name: "${existing.name}" from ${sourceText(existing.source)}.`,
      action:
        source.kind === 'folder'
          ? `Remove ${existing.name} first, or give this app another name in pyproject.toml.`
          : `Remove ${existing.name} first to install this one.`,
    });
  }
  if (existing?.pinned) {
    throw new JobFailed({
      reason: 'pinned',
      message: `${existing.name} is pinned to version ${existing.version}.`,
      action: 'Unpin it, then install again.',
    });
  }
  if (!whileRunning && isRunning(slot.state, appName)) {
    throw new JobFailed({
      reason: 'app-running',
      message: `${appName} is running, and a running app cannot be replaced.`,
      action: 'Stop it, then install again.',
    });
  }
}
