import type { InstalledApp } from '../../contract/apps/apps.ts';
import type { Clock } from '../../shared/clock.ts';
import type { Logger } from '../../shared/logger.ts';
import type { InstalledApps } from '../installed/installed-apps.ts';
import { gitFailure } from '../sources/git-failure.ts';
import { isCurrent, type LatestVersion, type LatestVersions } from '../sources/latest-version.ts';

interface UpdateCheckDeps {
  readonly apps: InstalledApps;
  readonly versions: LatestVersions;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Delayed, so that it does not slow down the start. */
const FIRST_AFTER_MS = 60_000;
const EVERY_MS = 6 * 60 * 60_000;

/** Looks for updates of the installed apps at their sources. Updates are offered, never installed automatically. */
export class UpdateCheck {
  readonly #deps: UpdateCheckDeps;
  #cancelNext = () => {};
  #underWay: Promise<InstalledApp[]> | null = null;
  readonly #closing = new AbortController();

  constructor(deps: UpdateCheckDeps) {
    this.#deps = deps;
  }

  /** Starts the periodic check. */
  start(): void {
    const { clock } = this.#deps;
    const soon = (afterMs: number) => {
      if (this.#closing.signal.aborted) return;
      this.#cancelNext = clock.after(afterMs, () => void this.check().finally(() => soon(EVERY_MS)));
    };
    soon(FIRST_AFTER_MS);
  }

  close(): void {
    this.#cancelNext();
    this.#closing.abort(new Error('closing'));
  }

  /**
   * Checks all sources in parallel. An app whose source does not answer stays unchanged. A second call joins the first.
   * @returns all installed apps with their updates
   */
  check(): Promise<InstalledApp[]> {
    this.#underWay ??= this.#checkAll().finally(() => {
      this.#underWay = null;
    });
    return this.#underWay;
  }

  async #checkAll(): Promise<InstalledApp[]> {
    const { apps, versions, clock, log } = this.#deps;
    await Promise.all(
      apps.list().map(async (app) => {
        try {
          const latest = await versions.find(app.source, this.#closing.signal);
          if (this.#closing.signal.aborted || apps.find(app.name)?.installedAt !== app.installedAt) return;
          const isNew = latest !== null && !isCurrent(app.source, latest) && !wasRolledBack(app, latest);
          const update = isNew ? { commit: latest.commit, seenAt: clock.now().toISOString() } : null;
          apps.offer(app.name, { update, updateProblem: null });
        } catch (error) {
          const known = apps.find(app.name);
          if (this.#closing.signal.aborted || !known) return;
          const revision = 'revision' in app.source ? app.source.revision : null;
          const { message } = gitFailure(error, revision) as Error;
          log.info(`apps: the update check of ${app.name} failed: ${message}`);
          apps.offer(app.name, { update: known.update, updateProblem: message });
        }
      }),
    );
    return apps.list();
  }
}

/** Whether the version is the one that was rolled back after a crash; it is not offered again. */
function wasRolledBack({ rolledBack }: InstalledApp, latest: LatestVersion): boolean {
  return rolledBack?.automatic === true && isCurrent(rolledBack.from.source, latest);
}
