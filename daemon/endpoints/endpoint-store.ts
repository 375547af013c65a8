import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { writeJsonFile } from '../shared/files/json-file.ts';
import { readKeptFile } from '../shared/files/kept-file.ts';
import type { Logger } from '../shared/logger.ts';
import { compareSortKeys, EndpointRecord, type SortKey, sortKeyOf } from './endpoint-record.ts';

/** The word before the name keeps a file's name from being one that a system reserves, such as `con`. */
const FILE = /^endpoint-([a-z0-9-]{1,32})\.json$/;
/** What a process that was killed while it wrote one has left. */
const DRAFT = /^endpoint-[a-z0-9-]{1,32}\.json\.\d+$/;
/** How many files are read at a time. */
const READERS = 8;

/** Keeps endpoints on the disk, a file each, and in memory in their order, newest first. */
export class EndpointStore {
  readonly #folder: string;
  readonly #log: Logger;
  readonly #byName = new Map<string, EndpointRecord>();
  /** All of them, in order. */
  readonly #sorted: EndpointRecord[] = [];

  constructor(folder: string, log: Logger) {
    this.#folder = folder;
    this.#log = log;
  }

  /**
   * Reads what is on the disk. A damaged file is set aside and is in nobody's way.
   * @param asNow makes of a record what it is now that the process that wrote it has ended
   */
  async load(asNow: (record: EndpointRecord) => EndpointRecord): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const files = (await readdir(this.#folder)).values();
    await Promise.all(Array.from({ length: READERS }, () => this.#readFrom(files, asNow)));
  }

  /** All of them, newest first, then by name. */
  get all(): readonly EndpointRecord[] {
    return this.#sorted;
  }

  get(name: string): EndpointRecord | undefined {
    return this.#byName.get(name);
  }

  /** Up to `limit` of those that come after a key and are wanted. */
  after(key: SortKey | null, limit: number, isWanted: (record: EndpointRecord) => boolean): EndpointRecord[] {
    const found: EndpointRecord[] = [];
    for (let at = key ? this.#firstAfter(key) : 0; at < this.#sorted.length && found.length < limit; at++) {
      const record = this.#sorted[at] as EndpointRecord;
      if (isWanted(record)) found.push(record);
    }
    return found;
  }

  /** Adds a record, or replaces the one of the same name. It counts once it is on the disk whole. */
  async put(record: EndpointRecord): Promise<void> {
    await writeJsonFile(this.#fileOf(record.endpoint.name), record);
    this.#insert(record);
  }

  async remove(name: string): Promise<void> {
    await rm(this.#fileOf(name), { force: true });
    this.#take(name);
  }

  /** Into its place at once: to sort ten thousand at the end of a start would hold up everything else. */
  #insert(record: EndpointRecord): void {
    const { name } = record.endpoint;
    this.#take(name);
    this.#byName.set(name, record);
    this.#sorted.splice(this.#firstAfter(sortKeyOf(record)), 0, record);
  }

  #take(name: string): void {
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

  /** Several take from the same files, each the next one that is left. */
  async #readFrom(files: Iterable<string>, asNow: (record: EndpointRecord) => EndpointRecord): Promise<void> {
    for (const file of files) {
      const name = FILE.exec(file)?.[1];
      if (name !== undefined) {
        const record = await this.#read(name);
        if (record) this.#insert(asNow(record));
      } else if (DRAFT.test(file)) await rm(join(this.#folder, file), { force: true });
    }
  }

  async #read(name: string): Promise<EndpointRecord | null> {
    const path = this.#fileOf(name);
    const { value: record } = await readKeptFile(path, EndpointRecord, this.#log);
    if (!record || record.endpoint.name === name) return record;
    this.#log.warn(`${path} is left out: what it holds is named "${record.endpoint.name}"`);
    return null;
  }

  #fileOf(name: string): string {
    return join(this.#folder, `endpoint-${name}.json`);
  }
}
