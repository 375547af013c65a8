import type { AppSlotState } from '../../contract/apps/app-slot.ts';
import type { InstalledApp } from '../../contract/apps/apps.ts';
import type { Turns } from '../../shared/async/turns.ts';
import type { Now } from '../../shared/clock.ts';
import type { Logger } from '../../shared/logger.ts';
import { AppIsBeingInstalled, AppIsRunning } from './errors.ts';
import { appKey, type InstalledApps } from './installed-apps.ts';

export interface AppVersionsDeps {
  readonly apps: InstalledApps;
  readonly slot: { readonly state: AppSlotState };
  /** Who works on which app; an install has its turn until it has switched. */
  readonly turns: Turns;
  /** The startup app, which is none any more once it is removed. */
  readonly startupApp: { readonly name: string | null; choose(name: string | null): Promise<unknown> };
  /** What its runs wrote, which goes with it. */
  readonly history: { forget(appName: string): Promise<void> };
  readonly now: Now;
  readonly log: Logger;
}

/** Which version of an app is live: rolled back, pinned, removed. Never under a running app. */
export class AppVersions {
  readonly #deps: AppVersionsDeps;

  constructor(deps: AppVersionsDeps) {
    this.#deps = deps;
  }

  /** Returns to the version before. @throws AppNotInstalled, AppIsRunning, AppIsBeingInstalled, NoPreviousVersion */
  async rollBack(name: string): Promise<InstalledApp> {
    const { apps, now } = this.#deps;
    await this.#untouched(name, () =>
      apps.rollBack(name, { at: now().toISOString(), automatic: false, reason: 'You asked for the version before.' }),
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
   * Removes an app with all that is its own.
   * @returns the other apps
   * @throws AppNotInstalled, AppIsRunning, AppIsBeingInstalled
   */
  async remove(name: string): Promise<InstalledApp[]> {
    const { apps, startupApp, history, log } = this.#deps;
    const isStartupApp = startupApp.name === name;
    await this.#untouched(name, () => apps.remove(name));
    // A daemon that dies before this finds at its next start that the startup app is gone.
    if (isStartupApp) await startupApp.choose(null);
    await history.forget(name).catch((error: unknown) => log.error(`apps: the runs of ${name} are still kept`, error));
    return apps.list();
  }

  /** Does something to an app that neither runs nor is being installed; no start or install comes in between. */
  async #untouched(name: string, change: () => Promise<void>): Promise<void> {
    const { apps, slot, turns } = this.#deps;
    const app = apps.get(name);
    const key = appKey(app.name);
    if (turns.isTaken(key)) throw new AppIsBeingInstalled(app.name);
    await turns.run(key, async () => {
      if (isRunning(slot.state, app.name)) throw new AppIsRunning(app.name);
      await change();
    });
  }
}

/** Whether a managed app of that name has the slot. */
export function isRunning(state: AppSlotState, appName: string): boolean {
  return state.state !== 'free' && state.holder.kind === 'managed-app' && state.holder.appName === appName;
}
