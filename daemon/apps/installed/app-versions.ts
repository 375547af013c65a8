import { normalizedName } from '../../app-package/requirement.ts';
import type { AppSlotState } from '../../contract/apps/app-slot.ts';
import type { InstalledApp } from '../../contract/apps/apps.ts';
import type { KeyedMutex } from '../../shared/async/mutex.ts';
import type { Now } from '../../shared/clock.ts';
import type { Logger } from '../../shared/logger.ts';
import { AppIsBeingChanged, AppIsRunning } from './errors.ts';
import type { InstalledApps } from './installed-apps.ts';

/** The parts that say whether an app may be changed now. */
export interface IdleDeps {
  readonly apps: Pick<InstalledApps, 'get'>;
  readonly slot: { readonly state: AppSlotState };
  /** Serializes work on the same app; an install holds the lock until it has switched. */
  readonly appLocks: KeyedMutex;
}

interface AppVersionsDeps extends IdleDeps {
  readonly apps: InstalledApps;
  /** Removes an app, and its choice as the startup app with it. */
  readonly startupApp: { removeWith(name: string, remove: () => Promise<void>): Promise<void> };
  /** The records and output of its runs, which are removed with it. */
  readonly history: { forget(appName: string): Promise<void> };
  readonly now: Now;
  readonly log: Logger;
}

/** Rolls back, pins and removes apps that are not running. */
export class AppVersions {
  readonly #deps: AppVersionsDeps;

  constructor(deps: AppVersionsDeps) {
    this.#deps = deps;
  }

  /** Returns to the previous version. @throws AppNotInstalled, AppIsRunning, AppIsBeingChanged, NoPreviousVersion */
  async rollBack(name: string): Promise<InstalledApp> {
    const { apps, now } = this.#deps;
    await changeIdle(this.#deps, name, () =>
      apps.rollBack(name, {
        at: now().toISOString(),
        automatic: false,
        reason: 'You returned to the earlier version.',
      }),
    );
    return apps.get(name);
  }

  /** @throws AppNotInstalled */
  async pin(name: string, pinned: boolean): Promise<InstalledApp> {
    const { apps } = this.#deps;
    await apps.pin(apps.get(name).name, pinned);
    return apps.get(name);
  }

  /**
   * Removes an app with its environments, files, runs and variables.
   * @returns the other apps
   * @throws AppNotInstalled, AppIsRunning, AppIsBeingChanged
   */
  async remove(name: string): Promise<InstalledApp[]> {
    const { apps, startupApp, history, log } = this.#deps;
    await changeIdle(this.#deps, name, () => startupApp.removeWith(name, () => apps.remove(name)));
    await history
      .forget(name)
      .catch((error: unknown) => log.error(`apps: the runs of ${name} could not be removed`, error));
    return apps.list();
  }
}

/**
 * Changes an app that neither runs nor is being installed; no install comes in between. `change` is called at once after
 * the slot was looked at.
 * @throws AppNotInstalled, AppIsBeingChanged, AppIsRunning, and what `change` throws
 */
export async function changeIdle(
  { apps, slot, appLocks }: IdleDeps,
  name: string,
  change: () => Promise<void>,
): Promise<void> {
  const app = apps.get(name);
  const key = normalizedName(app.name);
  if (appLocks.isLocked(key)) throw new AppIsBeingChanged(app.name);
  await appLocks.run(key, async () => {
    if (isRunning(slot.state, app.name)) throw new AppIsRunning(app.name);
    await change();
  });
}

/** Whether a managed app of that name holds the slot. */
export function isRunning(state: AppSlotState, appName: string): boolean {
  return state.state !== 'free' && state.holder.kind === 'managed-app' && state.holder.appName === appName;
}
