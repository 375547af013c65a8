import * as z from 'zod';
import { iconAddress } from '../../app-package/icon/package-icon.ts';
import { type AppSource, identityOf, isSameContent } from '../../contract/apps/app-source.ts';
import { AppManifest, InstalledApp } from '../../contract/apps/apps.ts';
import type { Assignments } from '../needs/app-needs.ts';

/** The stored record of a version. Fields that are derived or looked up again are not stored. */
export const StoredVersion = z.object({
  app: InstalledApp.omit({
    previous: true,
    pinned: true,
    onTrial: true,
    rolledBack: true,
    reset: true,
    update: true,
    updateProblem: true,
    sharesPortWith: true,
  }).extend({
    needs: AppManifest.shape.needs,
    /** The digest of the icon that its environment keeps; null: it has none. */
    icon: z.string().nullable().default(null),
  }),
  /** The folder of its environment under `envs`. */
  env: z.string().regex(/^[0-9a-f]+$/),
});
export type StoredVersion = z.infer<typeof StoredVersion>;

/**
 * The pointer of an app names its live environment. Replacing this file is the switch, so an install, an update or a
 * rollback is atomic. Environments cannot be moved, so they stay where they were built.
 */
export const AppPointer = StoredVersion.extend({
  previous: StoredVersion.nullable().default(null),
  pinned: z.boolean().default(false),
  onTrial: z.boolean().default(false),
  rolledBack: InstalledApp.shape.rolledBack,
});
export type AppPointer = z.infer<typeof AppPointer>;

/** File name of the pointer in the folder of an app. */
export const POINTER = 'current.json';

/** The pointer after a switch to a new version. @param before undefined: the app is new */
export function pointerTo({ app, env }: StoredVersion, before: AppPointer | undefined): AppPointer {
  const previous = before ? previousFor(app, before) : null;
  // The same content again, such as after a repair, is no update.
  const onTrial = previous !== null && !isSameVersion(previous.app.source, app.source);
  return { app, env, previous, pinned: false, onTrial, rolledBack: null };
}

/**
 * The version that a rollback returns to after a switch. The builds of an author's folder replace each other, so that a
 * version from elsewhere, such as the published one, stays.
 */
function previousFor({ source }: StoredVersion['app'], { app, env, previous }: AppPointer): StoredVersion {
  const isSameFolder = source.kind === 'folder' && identityOf(app.source) === identityOf(source);
  return isSameFolder && previous && identityOf(previous.app.source) !== identityOf(source) ? previous : { app, env };
}

const isSameVersion = (source: AppSource, other: AppSource): boolean =>
  'commit' in other && isSameContent(source, other);

/** The update that an app's source offers, which is not stored. */
export type OfferedUpdate = Pick<InstalledApp, 'update' | 'updateProblem'>;

/**
 * Describes the installed apps from their records, sorted by title.
 * @param pointers by the key of the app, as are the updates, the assigned endpoints and the resets
 */
export function describeApps(
  pointers: ReadonlyMap<string, AppPointer>,
  updates: ReadonlyMap<string, OfferedUpdate>,
  assigned: ReadonlyMap<string, Assignments>,
  resets: ReadonlyMap<string, InstalledApp['reset']>,
): InstalledApp[] {
  const byPort = Map.groupBy(pointers.values(), ({ app }) => app.settingsPage?.port);
  const apps = [...pointers].map(([key, { app, previous, pinned, onTrial, rolledBack }]): InstalledApp => {
    const neighbours = app.settingsPage ? (byPort.get(app.settingsPage.port) ?? []) : [];
    return {
      ...app,
      icon: app.icon === null ? null : iconAddress(`/api/apps/installed/${app.name}`, app.icon),
      needs: app.needs.map((need) => ({ ...need, endpoint: assigned.get(key)?.get(need.name) ?? null })),
      previous: previous && {
        version: previous.app.version,
        source: previous.app.source,
        installedAt: previous.app.installedAt,
      },
      pinned,
      onTrial,
      rolledBack,
      reset: resets.get(key) ?? null,
      ...(updates.get(key) ?? { update: null, updateProblem: null }),
      sharesPortWith: neighbours.map((each) => each.app.name).filter((name) => name !== app.name),
    };
  });
  return apps.sort((a, b) => a.title.localeCompare(b.title, 'en'));
}
