import { commitOf } from '../../contract/apps/app-source.ts';
import type { InstalledApp } from '../../contract/apps/apps.ts';
import { HubError } from '../../hub/errors.ts';
import type { HubClient } from '../../hub/hub-client.ts';
import type { Now } from '../../shared/clock.ts';
import type { Logger } from '../../shared/logger.ts';
import type { SafeFetch } from '../../shared/net/safe-fetch.ts';
import { runCommand } from '../../shared/processes/run-command.ts';
import type { InstalledApps } from '../installed/installed-apps.ts';
import { repositoryAddress } from '../sources/git-address.ts';
import { gitFailure } from '../sources/git-failure.ts';
import { latestCommit } from '../sources/git-repository.ts';

export interface UpdateCheckDeps {
  readonly apps: InstalledApps;
  readonly hub: Pick<HubClient, 'address' | 'resolve'>;
  readonly safeFetch: SafeFetch;
  readonly childEnvironment: () => Record<string, string>;
  readonly now: Now;
  readonly log: Logger;
}

/** Delayed, so that it does not slow down the start. */
const FIRST_AFTER_MS = 60_000;
const EVERY_MS = 6 * 60 * 60_000;
/** Time limit for the answer of one source. */
const ASK_MS = 30_000;

/** Looks for updates of the installed apps at their sources. Updates are offered, never installed automatically. */
export class UpdateCheck {
  readonly #deps: UpdateCheckDeps;
  #timer: NodeJS.Timeout | null = null;
  #underWay: Promise<InstalledApp[]> | null = null;
  readonly #closing = new AbortController();

  constructor(deps: UpdateCheckDeps) {
    this.#deps = deps;
  }

  /** Starts the periodic check. */
  start(): void {
    const soon = (afterMs: number) => {
      this.#timer = setTimeout(() => void this.check().finally(() => soon(EVERY_MS)), afterMs);
      this.#timer.unref();
    };
    soon(FIRST_AFTER_MS);
  }

  close(): void {
    if (this.#timer) clearTimeout(this.#timer);
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
    const { apps, now, log } = this.#deps;
    await Promise.all(
      apps.list().map(async (app) => {
        try {
          const commit = await this.#latest(app);
          if (this.#closing.signal.aborted || apps.find(app.name)?.installedAt !== app.installedAt) return;
          const isNew = commit !== null && commit !== commitOf(app.source) && commit !== rolledBackCommit(app);
          apps.offer(app.name, isNew ? { commit, seenAt: now().toISOString() } : null);
        } catch (error) {
          if (this.#closing.signal.aborted || !apps.find(app.name)) return;
          const { message } = failureOf(error, app);
          log.info(`apps: the update check of ${app.name} failed: ${message}`);
          apps.offerUnknown(app.name, message);
        }
      }),
    );
    return apps.list();
  }

  /** The newest commit of an app's source; null when the source has no commits or the branch is gone. */
  async #latest({ source }: InstalledApp): Promise<string | null> {
    const { hub, safeFetch, childEnvironment } = this.#deps;
    const signal = AbortSignal.any([this.#closing.signal, AbortSignal.timeout(ASK_MS)]);
    switch (source.kind) {
      case 'space':
        if (source.hub !== (await hub.address()))
          throw new HubError('not-found', `It came from another hub, ${source.hub}.`);
        return (await hub.resolve(source.id, source.revision, signal)).commit;
      case 'git': {
        if (source.revision === source.commit) return null; // installed at a fixed commit
        const url = await repositoryAddress(source.url, safeFetch, signal);
        const env = childEnvironment();
        return latestCommit({
          url,
          revision: source.revision,
          run: (file, args, more) => runCommand(file, args, { env, deadlineMs: ASK_MS, signal, ...more }),
        });
      }
      default:
        return null;
    }
  }
}

/** The commit that was rolled back after a crash; it is not offered again. */
function rolledBackCommit({ rolledBack }: InstalledApp): string | null {
  return rolledBack?.automatic ? commitOf(rolledBack.from.source) : null;
}

/** The error described to people, rather than a failed command. */
function failureOf(error: unknown, { source }: InstalledApp): Error {
  const revision = 'revision' in source ? source.revision : null;
  return gitFailure(error, revision) as Error;
}
