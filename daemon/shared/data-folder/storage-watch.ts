import type { Clock } from '../clock.ts';
import { StorageError } from '../files/storage-errors.ts';
import type { Logger } from '../logger.ts';

/** Why nothing can be saved, and what to do, a sentence each. */
export interface StorageProblem {
  readonly reason: string;
  readonly action: string;
}

interface StorageWatchDeps {
  readonly onChange: () => void;
  readonly clock: Clock;
  readonly log: Logger;
}

/** How often a disk that takes nothing is tried again. */
const RETRY_MS = 5_000;

/** Knows whether the data folder can keep anything, and notices by itself when it can again. */
export class StorageWatch {
  readonly #deps: StorageWatchDeps;
  #write: () => Promise<void> = async () => {};
  #problem: StorageProblem | null = null;
  #cancelRetry = () => {};
  readonly #checks = new Set<Promise<unknown>>();
  #isClosed = false;

  constructor(deps: StorageWatchDeps) {
    this.#deps = deps;
  }

  /** null: the data folder keeps what is written. */
  get problem(): StorageProblem | null {
    return this.#problem;
  }

  /**
   * Checks now, and from now on with this write.
   * @param write writes what must be kept while the daemon runs. @throws StorageError
   */
  async begin(write: () => Promise<void>): Promise<void> {
    this.#write = write;
    await this.check();
  }

  /** Tries to write. @returns why that failed */
  check(): Promise<StorageError | null> {
    if (this.#isClosed) return Promise.resolve(null);
    const check = this.#check().finally(() => this.#checks.delete(check));
    this.#checks.add(check);
    return check;
  }

  async #check(): Promise<StorageError | null> {
    try {
      await this.#write();
      this.#found(null);
      return null;
    } catch (error) {
      if (!(error instanceof StorageError)) throw error;
      this.#found(error);
      return error;
    }
  }

  /** Tries to write. @throws StorageError */
  async requireRoom(): Promise<void> {
    const error = await this.check();
    if (error) throw error;
  }

  /** Waits for writes under way: after the release of the lock, the files may belong to another daemon. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancelRetry();
    await Promise.allSettled(this.#checks);
  }

  #found(error: StorageError | null): void {
    const { onChange, clock, log } = this.#deps;
    this.#cancelRetry();
    if (error && !this.#isClosed) {
      this.#cancelRetry = clock.after(RETRY_MS, () => {
        this.check().catch((failure: unknown) => log.error('the data folder could not be tried', failure));
      });
    }
    if (this.#problem?.reason === error?.message) return;
    this.#problem = error && { reason: error.message, action: error.action };
    if (error) log.warn(`nothing can be saved, and no app can start: ${error.message} ${error.action}`);
    else log.info('the data folder takes what is written again');
    onChange();
  }
}
