import type { AppSlotState } from '../contract/app-slot.ts';
import type { InstalledApp } from '../contract/apps.ts';
import type { CrashDiagnosis } from '../contract/diagnosis.ts';
import type { AppRun } from '../contract/runs.ts';
import type { Now } from '../shared/clock.ts';
import type { Logger } from '../shared/logger.ts';
import type { Turns } from '../shared/turns.ts';
import { AppIsBeingInstalled, AppIsRunning } from './errors.ts';
import { appKey, type InstalledApps } from './installed-apps.ts';

export interface AppVersionsDeps {
  readonly apps: InstalledApps;
  readonly slot: { readonly state: AppSlotState };
  /** Who works on which app; an install has its turn until it has switched. */
  readonly turns: Turns;
  /** The startup app, which is none any more once it is removed. */
  readonly startupApp: { readonly name: string | null; choose(name: string | null): Promise<void> };
  /** What its runs wrote, which goes with it. */
  readonly history: { forget(appName: string): Promise<void> };
  readonly now: Now;
  readonly log: Logger;
}

/** An update whose first run crashes sooner than this is taken back. */
export const TRIAL_MS = 10_000;

/** Crashes that say nothing about the version: the one before would have had them too. */
const notTheUpdatesFault: ReadonlySet<CrashDiagnosis['cause']> = new Set([
  'port-in-use',
  'camera-busy',
  'audio-busy',
  'unauthorized',
  'endpoint-asleep',
  'robot-lost',
  'disk-full',
  'network',
]);

/** Which version of an app is live: rolled back, pinned, removed, judged by its first run. Never under a running app. */
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

  /** Removes an app with all that is its own. @throws AppNotInstalled, AppIsRunning, AppIsBeingInstalled */
  async remove(name: string): Promise<void> {
    const { apps, startupApp, history, log } = this.#deps;
    const isStartupApp = startupApp.name === name;
    await this.#untouched(name, () => apps.remove(name));
    // A daemon that dies before this finds at its next start that the startup app is gone.
    if (isStartupApp) await startupApp.choose(null);
    await history.forget(name).catch((error: unknown) => log.error(`apps: the runs of ${name} are still kept`, error));
  }

  /** Judges an update on trial by how its run went: it has proven itself, or the version before comes back. */
  async judge(run: AppRun): Promise<void> {
    const { apps, now, log } = this.#deps;
    const app = apps.find(run.appName);
    if (!app?.onTrial || app.version !== run.version || run.startedAt < app.installedAt) return;
    const lastedMs = Date.parse(run.endedAt) - Date.parse(run.startedAt);
    if (run.outcome !== 'crashed' || lastedMs >= TRIAL_MS) return apps.approve(app.name);
    if (run.diagnosis && notTheUpdatesFault.has(run.diagnosis.cause)) return;
    const seconds = Math.max(1, Math.round(lastedMs / 1000));
    const why = run.diagnosis?.message ?? run.message;
    log.warn(`apps: ${app.name} ${app.version} is taken back: ${run.message}`);
    await apps.rollBack(app.name, {
      at: now().toISOString(),
      automatic: true,
      reason: `Version ${app.version} crashed ${seconds} s after its first start. ${why}`,
    });
  }

  /** Does something to an app that neither runs nor is being installed; no start or install comes in between. */
  async #untouched(name: string, change: () => Promise<void>): Promise<void> {
    const { apps, slot, turns } = this.#deps;
    const app = apps.get(name);
    const key = appKey(app.name);
    if (turns.isTaken(key)) throw new AppIsBeingInstalled(app.name);
    const giveBack = await turns.take(key);
    try {
      if (isRunning(slot.state, app.name)) throw new AppIsRunning(app.name);
      await change();
    } finally {
      giveBack();
    }
  }
}

/** Whether a managed app of that name has the slot. */
export function isRunning(state: AppSlotState, appName: string): boolean {
  return state.state !== 'free' && state.holder.kind === 'managed-app' && state.holder.appName === appName;
}
