import type { AppSlotState } from '../../contract/apps/app-slot.ts';
import { identityOf, type RequestedSource } from '../../contract/apps/app-source.ts';
import { sourceText } from '../../contract/apps/source-text.ts';
import { JobFailed } from '../../jobs/errors.ts';
import { isRunning } from '../installed/app-versions.ts';
import type { InstalledApps } from '../installed/installed-apps.ts';

export interface ReplacementDeps {
  readonly apps: InstalledApps;
  readonly slot: { readonly state: AppSlotState };
}

/**
 * Checks whether an app may be installed under a name, from a source.
 * @throws JobFailed when the app that is installed under that name must not be replaced
 */
export function checkReplacement(appName: string, source: RequestedSource, { apps, slot }: ReplacementDeps): void {
  const existing = apps.find(appName);
  if (existing && (existing.name !== appName || identityOf(existing.source) !== identityOf(source))) {
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
  if (isRunning(slot.state, appName)) {
    throw new JobFailed({
      reason: 'app-running',
      message: `${appName} is running, and a running app cannot be replaced.`,
      action: 'Stop it, then install again.',
    });
  }
}
