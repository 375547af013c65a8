import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from '../../shared/logger.ts';
import { moveAside } from '../installed/app-environments.ts';
import type { InstalledApps } from '../installed/installed-apps.ts';
import type { AppVariables } from '../run/app-variables.ts';
import { findContents } from './app-contents.ts';
import { PlaceTaken, ResetInterrupted } from './errors.ts';
import { FILES, putBack, takenPlaces } from './reset-moves.ts';
import { isResetFolder, type StoredReset, timesOf, writeResets } from './reset-record.ts';
import { type AppPlaces, type PlacedReset, placesOf, requireNoLoss, type UndoOptions } from './undo-places.ts';

export interface ResetTransactionsDeps {
  readonly apps: Pick<InstalledApps, 'setReset' | 'refuseLaunches'>;
  readonly variables: Pick<AppVariables, 'names'>;
  /** Removed folders are first moved here, on the same file system; emptied at each start. */
  readonly workDir: string;
  readonly log: Logger;
}

/** A reset of which everything goes back to its place, and the one that can be undone afterwards. */
interface Moving {
  readonly done: StoredReset | null;
  readonly moving: StoredReset;
}

/**
 * Moves of a reset or its undo: all are made, or none. Where they cannot be taken back, the app is not launched until a
 * later call has succeeded. The caller holds the lock of the app and its variables.
 */
export class ResetTransactions {
  readonly #deps: ResetTransactionsDeps;
  /** Of the apps with a reset that is neither done nor undone: allows their launches again. */
  readonly #interrupted = new Map<string, () => void>();

  constructor(deps: ResetTransactionsDeps) {
    this.#deps = deps;
  }

  /** Does work that moves something aside; if it fails, everything is put back. @throws what the work throws, or `putBack` */
  async orPutBack(app: AppPlaces, record: Moving, work: () => Promise<void>): Promise<void> {
    await writeResets(app.folder, record);
    try {
      await work();
    } catch (error) {
      await this.putBack(app, record);
      throw error;
    }
  }

  /**
   * Puts everything back into its place.
   * @throws SavedSinceReset, PlaceTaken, NotMovable, VariablesDamaged, StorageError, or the system's error
   */
  async putBack(app: AppPlaces, { done, moving }: Moving, options: UndoOptions = {}): Promise<void> {
    const { apps } = this.#deps;
    const { name, folder } = app;
    try {
      const placed = await placesOf(moving, app);
      await this.#makeWay(app, placed, options);
      await putBack(folder, placed.reset);
    } catch (error) {
      apps.setReset(name, timesOf(moving));
      this.#interrupted.get(name)?.();
      this.#interrupted.set(name, apps.refuseLaunches(name, new ResetInterrupted(name)));
      throw error;
    }
    this.#interrupted.get(name)?.();
    await this.finish(app, done);
  }

  /**
   * Nothing is moving any more: removes what no reset needs, and stores the one that can be undone. The folders go before
   * their record, since one without a record is kept. Logs failures, which the next start makes good.
   */
  async finish({ name, folder }: Pick<AppPlaces, 'name' | 'folder'>, done: StoredReset | null): Promise<void> {
    const { apps, log } = this.#deps;
    try {
      for (const each of await readdir(folder)) {
        if (isResetFolder(each) && each !== done?.folder) await this.#discard(name, join(folder, each));
      }
      await writeResets(folder, { done, moving: null });
    } catch (error) {
      log.error(leftText(name), error);
    }
    apps.setReset(name, done && timesOf(done));
  }

  /** Removes what came into the place of a working folder or of variables since they were set aside. */
  async #makeWay({ name, folder, live }: AppPlaces, placed: PlacedReset, options: UndoOptions): Promise<void> {
    const taken = await takenPlaces(folder, placed.reset);
    const besideCode = taken.find(({ kind }) => kind === 'beside-code');
    if (besideCode) throw new PlaceTaken(besideCode.path); // it may be code
    const has = (kind: string) => taken.some((each) => each.kind === kind);
    const newer = await findContents({
      workDir: has('files') ? join(folder, FILES) : null,
      envDir: live,
      variables: has('variables') ? await this.#deps.variables.names(name) : [],
      besideCode: new Set(),
    });
    requireNoLoss(name, newer, placed, options);
    for (const { path } of taken) await this.#discard(name, path);
  }

  /** Moves something out of the folder of the app, and frees the disk in the background. @throws StorageError */
  async #discard(name: string, path: string): Promise<void> {
    const { workDir, log } = this.#deps;
    const aside = await moveAside(path, workDir);
    void rm(aside, { recursive: true, force: true }).catch((error: unknown) => log.error(leftText(name), error));
  }
}

const leftText = (name: string) => `apps: what resets of ${name} have left could not be removed`;
