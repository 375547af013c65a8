import type { InstalledApp } from '../../contract/apps/apps.ts';
import type { Assignments } from '../needs/need-assignments.ts';
import type { AppPointer } from './app-pointer.ts';

/** The update that an app's source offers, which is not stored. */
export type OfferedUpdate = Pick<InstalledApp, 'update' | 'updateProblem'>;

/**
 * Describes the installed apps from their records, sorted by title.
 * @param pointers by the key of the app, as are the updates and the assigned endpoints
 */
export function describeApps(
  pointers: ReadonlyMap<string, AppPointer>,
  updates: ReadonlyMap<string, OfferedUpdate>,
  assigned: ReadonlyMap<string, Assignments>,
): InstalledApp[] {
  const byPort = Map.groupBy(pointers.values(), ({ app }) => app.settingsPage?.port);
  const apps = [...pointers].map(([key, { app, previous, pinned, onTrial, rolledBack }]): InstalledApp => {
    const neighbours = app.settingsPage ? (byPort.get(app.settingsPage.port) ?? []) : [];
    return {
      ...app,
      needs: app.needs.map((need) => ({ ...need, endpoint: assigned.get(key)?.get(need.name) ?? null })),
      previous: previous && {
        version: previous.app.version,
        source: previous.app.source,
        installedAt: previous.app.installedAt,
      },
      pinned,
      onTrial,
      rolledBack,
      ...(updates.get(key) ?? { update: null, updateProblem: null }),
      sharesPortWith: neighbours.map((each) => each.app.name).filter((name) => name !== app.name),
    };
  });
  return apps.sort((a, b) => a.title.localeCompare(b.title, 'en'));
}
