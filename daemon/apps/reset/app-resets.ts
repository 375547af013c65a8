import { randomBytes } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import { basename, join, relative } from 'node:path';
import { normalizedName } from '../../app-package/requirement.ts';
import type { InstalledApp } from '../../contract/apps/apps.ts';
import type { AppReset } from '../../contract/apps/reset.ts';
import { contentsText } from '../../contract/apps/reset-text.ts';
import type { Clock } from '../../shared/clock.ts';
import type { Logger } from '../../shared/logger.ts';
import { moveAside } from '../installed/app-environments.ts';
import { changeIdle, type IdleDeps } from '../installed/app-versions.ts';
import type { InstalledApps } from '../installed/installed-apps.ts';
import { packagesDirOf } from '../python/python-env.ts';
import type { AppVariables } from '../run/app-variables.ts';
import { type FoundContents, findContents, isEmpty } from './app-contents.ts';
import {
  AppIsBeingReset,
  NoResetToUndo,
  NothingToReset,
  OtherVersionSinceReset,
  ResetInterrupted,
  SavedSinceReset,
} from './errors.ts';
import { moveOut, putBack } from './reset-moves.ts';
import {
  isResetFolder,
  RESET_FILE,
  readResets,
  readResetsToChange,
  type StoredReset,
  type StoredResets,
  writeResets,
} from './reset-record.ts';

interface AppResetsDeps extends IdleDeps {
  readonly apps: Pick<InstalledApps, 'get' | 'list' | 'folderOf' | 'environmentOf' | 'setReset' | 'refuseLaunches'>;
  readonly variables: Pick<AppVariables, 'names' | 'hold'>;
  /** Removed folders are first moved here, on the same file system; emptied at each start. */
  readonly workDir: string;
  readonly clock: Pick<Clock, 'now' | 'every'>;
  readonly log: Logger;
}

const KEPT_MS = 24 * 60 * 60_000;
/** The time of day is looked at again and again, since timers stand still while a machine sleeps. */
const SWEEP_EVERY_MS = 10 * 60_000;

/** A reset of which everything goes back to its place, and the one that can be undone afterwards. */
interface Moving {
  readonly done: StoredReset | null;
  readonly moving: StoredReset;
}

/**
 * Resets apps: sets aside what they have saved and their variables, in a folder of the app, from where an undo brings it
 * back for a day. Of each app one reset is kept. A record is written before anything moves, so that the next daemon puts
 * back what a killed one has left half way.
 */
export class AppResets {
  readonly #deps: AppResetsDeps;
  /** The apps with a reset that is neither done nor undone: they are not launched. */
  readonly #interrupted = new Set<string>();
  #stopSweeping = () => {};

  constructor(deps: AppResetsDeps) {
    this.#deps = deps;
  }

  /** Puts back what a killed daemon was moving, and removes what is older than a day. Logs failures. */
  async load(): Promise<void> {
    const { apps, log } = this.#deps;
    const recovered = apps.list().map(({ name }) =>
      this.#recover(name).catch((error: unknown) => {
        this.#interrupt(name);
        log.error(`apps: the reset of ${name} is not finished`, error);
      }),
    );
    await Promise.all(recovered);
  }

  /** Removes each reset once it is a day old. */
  start(): void {
    this.#stopSweeping = this.#deps.clock.every(SWEEP_EVERY_MS, () => void this.#sweep());
  }

  close(): void {
    this.#stopSweeping();
  }

  /** What a reset would remove, and what the last one set aside. @throws AppNotInstalled, VariablesDamaged */
  async status(name: string): Promise<AppReset> {
    const { apps, log } = this.#deps;
    const { besideCode: _, ...contents } = await this.#contents(name);
    const { done, moving } = await readResets(apps.folderOf(name), log);
    const last = moving ?? done;
    if (!last) return { contents, setAside: null };
    const { files, bytes, variables } = last;
    return { contents, setAside: { ...timesOf(last), files, bytes, variables } };
  }

  /**
   * Removes what an app has saved and its variables, or nothing. The reset before can no longer be undone then.
   * @throws AppNotInstalled, AppIsRunning, AppIsBeingInstalled, NothingToReset, VariablesDamaged, StorageError
   */
  async reset(name: string): Promise<InstalledApp> {
    const { apps, log } = this.#deps;
    await this.#whileIdle(name, async (folder) => {
      const stored = await this.#stored(folder);
      const { done } = stored;
      if (stored.moving) await this.#putBack(name, folder, { done, moving: stored.moving });
      const contents = await this.#contents(name);
      if (isEmpty(contents)) throw new NothingToReset(name);
      const reset = await this.#newReset(name, folder, contents);
      await this.#orPutBack(name, folder, { done, moving: reset }, async () => {
        await moveOut(folder, reset);
        await writeResets(folder, { done: reset, moving: null });
      });
      await this.#finish(name, folder, reset);
      log.info(`apps: ${name} was reset: ${contentsText(contents)}`);
    });
    return apps.get(name);
  }

  /**
   * Brings back what the last reset removed, or nothing. After an interrupted reset, that is put back.
   * @param options.replace removes what the app has saved since, and the variables that were set
   * @throws AppNotInstalled, AppIsRunning, AppIsBeingInstalled, NoResetToUndo, SavedSinceReset, OtherVersionSinceReset,
   * VariablesDamaged, StorageError
   */
  async undo(name: string, options: { readonly replace?: boolean | undefined } = {}): Promise<InstalledApp> {
    const { apps, log } = this.#deps;
    await this.#whileIdle(name, async (folder) => {
      const { done, moving } = await this.#stored(folder);
      if (moving) return this.#putBack(name, folder, { done, moving });
      if (!done) throw new NoResetToUndo(name);
      const isOther = done.env !== basename(apps.environmentOf(name));
      if (isOther && done.besideCode.length > 0) throw new OtherVersionSinceReset(name, done.version);
      const contents = await this.#contents(name);
      if (!isEmpty(contents) && !options.replace) throw new SavedSinceReset(name, contents);
      // What is in the way goes first, as in a reset: an empty folder, too.
      const newer = await this.#newReset(name, folder, contents);
      await this.#orPutBack(name, folder, { done, moving: newer }, async () => {
        await moveOut(folder, newer);
        await writeResets(folder, { done: null, moving: done });
      });
      await this.#putBack(name, folder, { done: null, moving: done });
      log.info(`apps: the reset of ${name} was undone`);
    });
    return apps.get(name);
  }

  /** Works with the folder of an app that neither runs nor is started, installed or given variables meanwhile. */
  async #whileIdle(name: string, work: (folder: string) => Promise<void>): Promise<void> {
    const { apps, variables } = this.#deps;
    await changeIdle(this.#deps, name, async () => {
      const allowLaunches = apps.refuseLaunches(name, new AppIsBeingReset(name));
      try {
        await variables.hold(name, () => work(apps.folderOf(name)));
      } finally {
        allowLaunches();
        if (this.#interrupted.has(name)) this.#interrupt(name);
      }
    });
  }

  #stored(folder: string): Promise<StoredResets> {
    const { clock, log } = this.#deps;
    return readResetsToChange(folder, { now: clock.now, log });
  }

  async #contents(name: string): Promise<FoundContents> {
    const { apps, variables } = this.#deps;
    const [workDir, envDir] = [join(apps.folderOf(name), 'files'), apps.environmentOf(name)];
    return findContents({ workDir, envDir, variables: await variables.names(name) });
  }

  async #newReset(name: string, folder: string, contents: FoundContents): Promise<StoredReset> {
    const { apps, clock } = this.#deps;
    const envDir = apps.environmentOf(name);
    const packagesDir = (await packagesDirOf(envDir)) ?? envDir;
    const { files, bytes, variables, besideCode } = contents;
    return {
      ...{ folder: `reset-${randomBytes(6).toString('hex')}`, at: clock.now().toISOString() },
      ...{ version: apps.get(name).version, env: basename(envDir), packages: relative(folder, packagesDir) },
      ...{ files, bytes, variables, besideCode },
    };
  }

  /** Does work that moves something aside; if it fails, everything is put back. @throws what the work throws */
  async #orPutBack(name: string, folder: string, record: Moving, work: () => Promise<void>): Promise<void> {
    await writeResets(folder, record);
    try {
      await work();
    } catch (error) {
      await this.#putBack(name, folder, record);
      throw error;
    }
  }

  /** @throws StorageError, or the system's error; the app is not launched until a later call has succeeded */
  async #putBack(name: string, folder: string, { done, moving }: Moving): Promise<void> {
    const { apps } = this.#deps;
    try {
      await putBack(folder, moving);
    } catch (error) {
      apps.setReset(name, timesOf(moving));
      this.#interrupt(name);
      throw error;
    }
    this.#interrupted.delete(name);
    await this.#finish(name, folder, done);
  }

  #interrupt(name: string): void {
    this.#interrupted.add(name);
    this.#deps.apps.refuseLaunches(name, new ResetInterrupted(name));
  }

  /**
   * Nothing is moving any more: removes what no reset needs, and stores the one that can be undone. The folders go before
   * their record, since one without a record is kept. Logs failures, which the next start makes good.
   */
  async #finish(name: string, folder: string, done: StoredReset | null): Promise<void> {
    const { apps, workDir, log } = this.#deps;
    const failed = (error: unknown) => log.error(`apps: what resets of ${name} have left could not be removed`, error);
    try {
      for (const each of await readdir(folder)) {
        if (!isResetFolder(each) || each === done?.folder) continue;
        const aside = await moveAside(join(folder, each), workDir);
        void rm(aside, { recursive: true, force: true }).catch(failed);
      }
      await writeResets(folder, { done, moving: null });
    } catch (error) {
      failed(error);
    }
    apps.setReset(name, done && timesOf(done));
  }

  async #recover(name: string): Promise<void> {
    const { apps } = this.#deps;
    const folder = apps.folderOf(name);
    const names = await readdir(folder);
    if (!names.some((each) => each === RESET_FILE || isResetFolder(each))) return;
    const { done, moving } = await this.#stored(folder);
    const kept = done && names.includes(done.folder) && !this.#isOver(timesOf(done).until) ? done : null;
    if (moving) return this.#putBack(name, folder, { done: kept, moving });
    const isTidy = kept !== null && names.filter(isResetFolder).length === 1;
    if (isTidy) apps.setReset(name, timesOf(kept));
    else if (done) await this.#finish(name, folder, kept);
  }

  async #sweep(): Promise<void> {
    const { apps, appLocks, log } = this.#deps;
    for (const { name, reset } of apps.list()) {
      const key = normalizedName(name);
      if (!reset || !this.#isOver(reset.until) || appLocks.isLocked(key)) continue; // later, if it is in use
      const drop = async () => {
        const folder = apps.folderOf(name);
        // Looked at again: another reset may have come meanwhile.
        const { done, moving } = await this.#stored(folder);
        if (!moving && done && this.#isOver(timesOf(done).until)) await this.#finish(name, folder, null);
      };
      await appLocks
        .run(key, drop)
        .catch((error: unknown) => log.error(`apps: the reset of ${name} could not be removed`, error));
    }
  }

  #isOver(until: string): boolean {
    return Date.parse(until) <= this.#deps.clock.now().getTime();
  }
}

function timesOf({ at }: StoredReset): { readonly at: string; readonly until: string } {
  return { at, until: new Date(Date.parse(at) + KEPT_MS).toISOString() };
}
