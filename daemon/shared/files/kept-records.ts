import * as z from 'zod';
import { Mutex } from '../async/mutex.ts';
import type { Logger } from '../logger.ts';
import { readPastRecords, writeJsonFile } from './json-file.ts';

interface KeptRecordsDeps<T> {
  readonly file: string;
  readonly schema: z.ZodType<T>;
  readonly keyOf: (record: T) => string;
  /** The most records that are kept: the newest. */
  readonly most: number;
  /** Their subject, for the log: `the memory of models`. */
  readonly subject: string;
  readonly log: Pick<Logger, 'warn' | 'error'>;
}

/** The content of the file: all records, the newest last. */
export const keptRecordsFile = <T>(record: z.ZodType<T>) => z.object({ records: z.array(record) });

/** One record for each key, kept in a file. A record that cannot be saved is kept until the daemon ends. */
export class KeptRecords<T> {
  readonly #deps: KeptRecordsDeps<T>;
  readonly #writes = new Mutex();
  /** The newest last. */
  #records = new Map<string, T>();
  #isSaved = true;

  constructor(deps: KeptRecordsDeps<T>) {
    this.#deps = deps;
  }

  /** Reads the file; a damaged one is set aside. */
  async load(): Promise<void> {
    const { file, schema, keyOf, most, log } = this.#deps;
    const stored = await readPastRecords(file, keptRecordsFile(schema), log);
    this.#records = new Map((stored?.records ?? []).slice(-most).map((record) => [keyOf(record), record]));
  }

  /** The newest last. */
  get all(): readonly T[] {
    return [...this.#records.values()];
  }

  get(key: string): T | undefined {
    return this.#records.get(key);
  }

  /** Keeps a record in the place of the one with its key, and saves it. */
  set(record: T): void {
    const { keyOf, most } = this.#deps;
    const key = keyOf(record);
    this.#records.delete(key);
    this.#records.set(key, record);
    for (const oldest of this.#records.keys()) {
      if (this.#records.size <= most) break;
      this.#records.delete(oldest);
    }
    this.#isSaved = false;
    void this.#save();
  }

  /** Waits until everything is saved that can be. */
  async close(): Promise<void> {
    await this.#save();
  }

  #save(): Promise<void> {
    const { file, subject, log } = this.#deps;
    return this.#writes.run(async () => {
      if (this.#isSaved) return;
      this.#isSaved = true;
      await writeJsonFile(file, { records: this.all }).catch((error: unknown) => {
        this.#isSaved = false;
        log.warn(`${subject} could not be saved (${(error as Error).message})`);
      });
    });
  }
}
