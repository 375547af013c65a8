import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { writeJsonFile } from '../../shared/files/json-file.ts';
import { makeFolder } from '../../shared/files/make-folder.ts';
import { StorageError } from '../../shared/files/storage-errors.ts';
import { readStoredFile } from '../../shared/files/stored-file.ts';
import type { Logger } from '../../shared/logger.ts';
import { compareSortKeys, EndpointRecord, type SortKey, sortKeyOf } from './endpoint-record.ts';

/** The prefix keeps a file's name from being one that a system reserves, such as `con`. */
const FILE = /^endpoint-([a-z0-9-]{1,32})\.json$/;
/** A temporary file of a process that was killed while it wrote. */
const DRAFT = /^endpoint-[a-z0-9-]{1,32}\.json\.\d+$/;
/** The number of files read at a time. */
const READERS = 8;

/** Stores endpoints on disk, a file each, and in memory, sorted. */
export class EndpointStore {
  readonly #folder: string;
  readonly #log: Logger;
  readonly #byName = new Map<string, EndpointRecord>();
  /** All records, newest first, then by name. */
  readonly #sorted: EndpointRecord[] = [];
  /** The names of records on the disk that could not be read. */
  readonly #unreadable = new Set<string>();

  constructor(folder: string, log: Logger) {
    this.#folder = folder;
    this.#log = log;
  }

  /**
   * Reads the records on disk. A damaged file is set aside. On a disk that takes nothing, a missing folder is empty.
   * @param restore returns a record's state after the end of the process that wrote it
   */
  async load(restore: (record: EndpointRecord) => EndpointRecord): Promise<void> {
    await makeFolder(this.#folder).catch((error: unknown) => {
      if (!(error instanceof StorageError)) throw error;
    });
    const names = await readdir(this.#folder).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return [];
      throw error;
    });
    const files = names.values();
    await Promise.all(Array.from({ length: READERS }, () => this.#readFrom(files, restore)));
  }

  /** All of them, newest first, then by name. */
  get all(): readonly EndpointRecord[] {
    return this.#sorted;
  }

  /** Whether a record of that name is on the disk, readable or not. */
  has(name: string): boolean {
    return this.#byName.has(name) || this.#unreadable.has(name);
  }

  get(name: string): EndpointRecord | undefined {
    return this.#byName.get(name);
  }

  /** Returns up to `limit` wanted records that sort after a key. */
  after(key: SortKey | null, limit: number, isWanted: (record: EndpointRecord) => boolean): EndpointRecord[] {
    const found: EndpointRecord[] = [];
    for (let at = key ? this.#firstAfter(key) : 0; at < this.#sorted.length && found.length < limit; at++) {
      const record = this.#sorted[at] as EndpointRecord;
      if (isWanted(record)) found.push(record);
    }
    return found;
  }

  /** Adds a record or replaces the one of the same name, on disk first. */
  async put(record: EndpointRecord): Promise<void> {
    await makeFolder(this.#folder);
    await writeJsonFile(this.#fileOf(record.endpoint.name), record);
    this.#insert(record);
  }

  /** Replaces a record in memory only: the progress of a start is not worth a write. */
  show(record: EndpointRecord): void {
    this.#insert(record);
  }

  async remove(name: string): Promise<void> {
    await rm(this.#fileOf(name), { force: true });
    this.#drop(name);
  }

  /** Inserts at the sorted position: sorting ten thousand records at the end of a start would block the event loop. */
  #insert(record: EndpointRecord): void {
    const { name } = record.endpoint;
    this.#drop(name);
    this.#byName.set(name, record);
    this.#sorted.splice(this.#firstAfter(sortKeyOf(record)), 0, record);
  }

  #drop(name: string): void {
    const record = this.#byName.get(name);
    if (!record) return;
    this.#byName.delete(name);
    this.#sorted.splice(this.#firstAfter(sortKeyOf(record)) - 1, 1);
  }

  /** The index of the first record that comes after a key. */
  #firstAfter(key: SortKey): number {
    let [low, high] = [0, this.#sorted.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (compareSortKeys(sortKeyOf(this.#sorted[middle] as EndpointRecord), key) > 0) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  /** Several readers share one iterator; each takes the next file. */
  async #readFrom(files: Iterable<string>, restore: (record: EndpointRecord) => EndpointRecord): Promise<void> {
    for (const file of files) {
      const name = FILE.exec(file)?.[1];
      if (name !== undefined) {
        const record = await this.#read(name);
        if (record) this.#insert(restore(record));
      } else if (DRAFT.test(file)) await rm(join(this.#folder, file), { force: true });
    }
  }

  async #read(name: string): Promise<EndpointRecord | null> {
    const path = this.#fileOf(name);
    const stored = await readStoredFile<EndpointRecord>(path, EndpointRecord, this.#log).catch((error: unknown) => {
      this.#log.error(`endpoint ${name}: its record cannot be read`, error);
      this.#unreadable.add(name);
      return null;
    });
    const record = stored?.value ?? null;
    if (!record || record.endpoint.name === name) return record;
    this.#log.warn(`${path} is skipped: the endpoint in it is named "${record.endpoint.name}"`);
    return null;
  }

  #fileOf(name: string): string {
    return join(this.#folder, `endpoint-${name}.json`);
  }
}
