import { randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { normalizedName } from '../../app-package/requirement.ts';
import type { InstalledApp } from '../../contract/apps/apps.ts';
import type { AppReset } from '../../contract/apps/reset.ts';
import { contentsText } from '../../contract/apps/reset-text.ts';
import type { Clock } from '../../shared/clock.ts';
import { Conflict } from '../../shared/domain-error.ts';
import { changeIdle, type IdleDeps } from '../installed/app-versions.ts';
import { AppNotInstalled } from '../installed/errors.ts';
import type { InstalledApps } from '../installed/installed-apps.ts';
import type { AppVariables } from '../run/app-variables.ts';
import { type FoundContents, findContents, isEmpty } from './app-contents.ts';
import {
  AppIsBeingReset,
  NoResetToUndo,
  NothingToReset,
  OtherVersionSinceReset,
  PlaceTaken,
  ResetInterrupted,
} from './errors.ts';
import { FILES, isAside, moveOut, takenPlaces } from './reset-moves.ts';
import {
  isResetFolder,
  KEPT_MS,
  RESET_FILE,
  readResets,
  readResetsToChange,
  type StoredReset,
  type StoredResets,
  timesOf,
  writeResets,
} from './reset-record.ts';
import { ResetTransactions, type ResetTransactionsDeps } from './reset-transactions.ts';
import { type AppPlaces, packagesIn, placesOf, requireNoLoss, type UndoOptions } from './undo-places.ts';

interface AppResetsDeps extends IdleDeps, Omit<ResetTransactionsDeps, 'variables'> {
  readonly apps: ResetTransactionsDeps['apps'] &
    Pick<InstalledApps, 'get' | 'list' | 'folderOf' | 'environmentOf' | 'environmentBefore'>;
  readonly variables: Pick<AppVariables, 'names' | 'hold'>;
  readonly clock: Pick<Clock, 'now' | 'elapsedMs' | 'every'>;
}

/** The folders of apps that are read at once at the start of the daemon: there may be hundreds. */
const READ_AT_ONCE = 8;
/** The time of day is looked at again and again, since timers stand still while a machine sleeps. */
const SWEEP_EVERY_MS = 10 * 60_000;

/**
 * Resets apps: sets aside what they have saved and their variables, in a folder of the app, from where an undo brings it
 * back for a day. Of each app one reset is kept. A record is written before anything moves, so that the next daemon puts
 * back what a killed one has left half way.
 */
export class AppResets {
  readonly #deps: AppResetsDeps;
  readonly #transactions: ResetTransactions;
  /** Since when resets of a later time than now are known, by app and time; in `elapsedMs` of the clock. */
  readonly #aheadSinceMs = new Map<string, number>();
  #stopSweeping = () => {};

  constructor(deps: AppResetsDeps) {
    this.#deps = deps;
    this.#transactions = new ResetTransactions(deps);
  }

  /** Puts back what a killed daemon was moving, and removes what is older than a day. Logs failures. */
  async load(): Promise<void> {
    const { apps, log } = this.#deps;
    const left = apps.list().values(); // shared: each takes the next one
    const recoverNext = async () => {
      for (const { name } of left) {
        await this.#recover(name).catch((error: unknown) =>
          log.error(`apps: the reset of ${name} is not finished`, error),
        );
      }
    };
    await Promise.all(Array.from({ length: READ_AT_ONCE }, recoverNext));
  }

  /** Removes each reset once it is a day old. */
  start(): void {
    this.#stopSweeping = this.#deps.clock.every(SWEEP_EVERY_MS, () => void this.#sweep());
  }

  close(): void {
    this.#stopSweeping();
  }

  /**
   * Lists what a reset would remove, and what the last one set aside.
   * @param signal ends the count: nobody waits for the answer any more
   * @throws AppNotInstalled, VariablesDamaged, StorageError, and what `findContents` throws
   */
  async status(name: string, signal?: AbortSignal): Promise<AppReset> {
    const { apps, log } = this.#deps;
    const { besideCode: _, ...contents } = await this.#contents(this.#places(name), { signal });
    const folder = apps.folderOf(name);
    const { done, moving } = await readResets(folder, log);
    const last = moving && (await isAside(folder, moving)) ? moving : done;
    if (!last) return { contents, setAside: null };
    const { files, bytes, more, variables } = last;
    return { contents, setAside: { ...timesOf(last), files, bytes, ...(more && { more }), variables } };
  }

  /**
   * Removes what an app has saved and its variables, or nothing. The reset before can no longer be undone then.
   * @throws AppNotInstalled, AppIsRunning, AppIsBeingChanged, NothingToReset, ResetInterrupted, NotMovable, VariablesDamaged,
   * StorageError, and what `findContents` throws
   */
  async reset(name: string): Promise<InstalledApp> {
    const { apps, log } = this.#deps;
    await this.#whileIdle(name, async (app) => {
      const { done, moving } = await this.#stored(app.folder);
      if (moving && (await isAside(app.folder, moving)))
        await this.#transactions.putBack(app, { done, moving }).catch(throwInterrupted(name));
      const contents = await this.#contents(app);
      if (isEmpty(contents)) throw new NothingToReset(name);
      const reset = await this.#newReset(app, contents);
      await this.#transactions.orPutBack(app, { done, moving: reset }, async () => {
        await moveOut(app.folder, reset);
        await writeResets(app.folder, { done: reset, moving: null });
      });
      await this.#transactions.finish(app, reset);
      log.info(`apps: ${name} was reset: ${contentsText(contents)}`);
    });
    return apps.get(name);
  }

  /**
   * Brings back what the last reset removed, or nothing. After an interrupted reset, that is put back.
   * @throws AppNotInstalled, AppIsRunning, AppIsBeingChanged, NoResetToUndo, SavedSinceReset, OtherVersionSinceReset,
   * PlaceTaken, NotMovable, VariablesDamaged, StorageError, and what `findContents` throws
   */
  async undo(name: string, options: UndoOptions = {}): Promise<InstalledApp> {
    const { apps, log } = this.#deps;
    await this.#whileIdle(name, async (app) => {
      const { folder, live, before } = app;
      const { done, moving } = await this.#stored(folder);
      // One with nothing aside is over: only its record could not be written.
      if (moving && (await isAside(folder, moving))) return this.#transactions.putBack(app, { done, moving }, options);
      if (!done || !(await isAside(folder, done))) {
        await this.#transactions.finish(app, null);
        throw new NoResetToUndo(name);
      }
      const isBefore = before !== null && done.env === basename(before);
      if (isBefore && done.besideCode.length > 0)
        throw new OtherVersionSinceReset(name, { atReset: done.version, now: apps.get(name).version });
      const placed = await placesOf(done, app);
      const { reset } = placed;
      // In another environment only what is in the way is replaced: the rest need not be newer than the reset.
      const besideCode = done.env === basename(live) ? undefined : new Set(reset.besideCode);
      const contents = await this.#contents(app, { besideCode });
      requireNoLoss(name, contents, placed, options);
      // A reset first moves everything out of the way, empty folders too.
      const newer = await this.#newReset(app, contents);
      await this.#transactions.orPutBack(app, { done, moving: newer }, async () => {
        await moveOut(folder, newer);
        const [taken] = await takenPlaces(folder, reset);
        if (taken) throw new PlaceTaken(taken.path);
        await writeResets(folder, { done: null, moving: reset });
      });
      await this.#transactions.putBack(app, { done: null, moving: reset });
      log.info(`apps: the reset of ${name} was undone`);
    });
    return apps.get(name);
  }

  /** Works with an app that neither runs nor is started, installed or given variables meanwhile. */
  async #whileIdle(name: string, work: (app: AppPlaces) => Promise<void>): Promise<void> {
    const { apps, variables } = this.#deps;
    await changeIdle(this.#deps, name, async () => {
      const allowLaunches = apps.refuseLaunches(name, new AppIsBeingReset(name));
      try {
        // The places are looked up once: a version that crashed on trial may still be rolled back meanwhile.
        await variables.hold(name, () => work(this.#places(name)));
      } finally {
        allowLaunches();
      }
    });
  }

  #places(name: string): AppPlaces {
    const { apps } = this.#deps;
    return { name, folder: apps.folderOf(name), live: apps.environmentOf(name), before: apps.environmentBefore(name) };
  }

  #stored(folder: string): Promise<StoredResets> {
    const { clock, log } = this.#deps;
    return readResetsToChange(folder, { now: clock.now, log });
  }

  async #contents(
    { name, folder, live }: AppPlaces,
    {
      besideCode,
      signal,
    }: { readonly besideCode?: ReadonlySet<string> | undefined; readonly signal?: AbortSignal | undefined } = {},
  ): Promise<FoundContents> {
    const variables = await this.#deps.variables.names(name);
    return findContents({ workDir: join(folder, FILES), envDir: live, variables, besideCode }, { signal });
  }

  async #newReset({ name, folder, live }: AppPlaces, contents: FoundContents): Promise<StoredReset> {
    const { apps, clock } = this.#deps;
    const { files, bytes, more, variables, besideCode } = contents;
    return {
      ...{ folder: `reset-${randomBytes(6).toString('hex')}`, at: clock.now().toISOString() },
      ...{ version: apps.get(name).version, env: basename(live), packages: await packagesIn(folder, live) },
      ...{ files, bytes, ...(more && { more }), variables, besideCode },
    };
  }

  async #recover(name: string): Promise<void> {
    const { apps } = this.#deps;
    const app = this.#places(name);
    const names = await readdir(app.folder);
    if (!names.some((each) => each === RESET_FILE || isResetFolder(each))) return;
    const { done, moving } = await this.#stored(app.folder);
    const kept = done && names.includes(done.folder) && !this.#isOver(name, done) ? done : null;
    if (moving) return this.#transactions.putBack(app, { done: kept, moving });
    const isTidy = kept !== null && names.filter(isResetFolder).length === 1;
    if (isTidy) apps.setReset(name, timesOf(kept));
    else if (done) await this.#transactions.finish(app, kept);
  }

  async #sweep(): Promise<void> {
    const { apps, appLocks, log } = this.#deps;
    for (const { name, reset } of apps.list()) {
      const key = normalizedName(name);
      if (!reset || !this.#isOver(name, reset) || appLocks.isLocked(key)) continue; // later, if it is in use
      const drop = async () => {
        const folder = apps.folderOf(name);
        // Looked at again: another reset may have come meanwhile.
        const { done, moving } = await this.#stored(folder);
        if (!moving && done && this.#isOver(name, done)) await this.#transactions.finish({ name, folder }, null);
      };
      await appLocks.run(key, drop).catch((error: unknown) => {
        if (error instanceof AppNotInstalled) return; // it was removed meanwhile
        log.error(`apps: the reset of ${name} could not be removed`, error);
      });
    }
  }

  /**
   * Whether the day of a reset is over. A machine without a clock of its own begins in the past: a reset of a later time is
   * over once this daemon has run for a day with it, so that a clock that was wrong does not keep it for ever.
   */
  #isOver(name: string, { at }: { readonly at: string }): boolean {
    const { now, elapsedMs } = this.#deps.clock;
    const nowMs = now().getTime();
    if (Date.parse(at) <= nowMs) return Date.parse(timesOf({ at }).until) <= nowMs;
    const key = `${name} ${at}`;
    const sinceMs = this.#aheadSinceMs.get(key) ?? elapsedMs();
    this.#aheadSinceMs.set(key, sinceMs);
    return elapsedMs() - sinceMs >= KEPT_MS;
  }
}

/** Of a reset that cannot be put back now, the undo says why. */
function throwInterrupted(name: string): (error: unknown) => never {
  return (error) => {
    throw error instanceof Conflict ? new ResetInterrupted(name) : error;
  };
}
