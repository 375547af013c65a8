import { readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import pLimit from 'p-limit';
import type { EndpointRef, EndpointState, EndpointsStatus } from '../../contract/endpoints/endpoint.ts';
import { endpointId } from '../../contract/endpoints/endpoint-id.ts';
import type { Publish } from '../../shared/async/event-bus.ts';
import { lazy } from '../../shared/async/lazy.ts';
import { KeyedMutex } from '../../shared/async/mutex.ts';
import { pathExists, succeeds } from '../../shared/async/succeeds.ts';
import { readStoredFile, writeJsonFile } from '../../shared/files/json-file.ts';
import { makeFolder } from '../../shared/files/make-folder.ts';
import { StorageError } from '../../shared/files/storage-errors.ts';
import type { Logger } from '../../shared/logger.ts';
import { endpointInFile, fileOf, isDraft, nameInOlderFile, olderFileOf, olderNamespace } from './endpoint-files.ts';
import { compareSortKeys, EndpointRecord, refOf, type SortKey, sortKeyOf } from './endpoint-record.ts';

/** The number of files read at a time. */
const READERS = 8;

interface EndpointRecordsDeps {
  /** Holds a file for each endpoint; created when missing. */
  readonly folder: string;
  /** Returns a record's state after the end of the process that wrote it. */
  readonly restore: (record: EndpointRecord) => EndpointRecord;
  readonly publish: Publish;
  readonly log: Logger;
}

/**
 * The records of this daemon's endpoints, on disk, a file each, and in memory: read once, changed one after the other for
 * each endpoint, and published after every change.
 */
export class EndpointRecords {
  readonly #deps: EndpointRecordsDeps;
  readonly #locks = new KeyedMutex();
  readonly #listeners = new Set<(endpoint: EndpointRef) => void>();
  /** The load and the writes in progress. */
  readonly #working = new Set<Promise<void>>();
  readonly #byId = new Map<string, EndpointRecord>();
  /** null: to be sorted again. */
  #sorted: readonly EndpointRecord[] | null = null;
  /** The files that could not be read. */
  readonly #unreadable = new Set<string>();
  /** The files of earlier versions that stay in use, because they could not be renamed; by the ids of their endpoints. */
  readonly #olderFiles = new Map<string, string>();
  #isLoaded = false;
  #revision = 0;

  /** Reads the stored endpoints, once. @throws Error when the folder cannot be read; the next call tries again */
  readonly load = lazy(() => this.#awaited(this.#load()));

  constructor(deps: EndpointRecordsDeps) {
    this.#deps = deps;
  }

  get isLoaded(): boolean {
    return this.#isLoaded;
  }

  /** All of them, newest first, then by name. */
  get all(): readonly EndpointRecord[] {
    this.#sorted ??= [...this.#byId.values()].sort((a, b) => compareSortKeys(sortKeyOf(a), sortKeyOf(b)));
    return this.#sorted;
  }

  /** The number of endpoints read so far, by state. */
  get status(): EndpointsStatus {
    const states: Partial<Record<EndpointState, number>> = {};
    for (const { endpoint } of this.all) {
      states[endpoint.status.state] = (states[endpoint.status.state] ?? 0) + 1;
    }
    return { total: this.all.length, revision: this.#revision, states };
  }

  /** Whether a record of that endpoint is on the disk, readable or not. An older one that is not may be of any namespace. */
  has(endpoint: EndpointRef): boolean {
    if (this.#byId.has(endpointId(endpoint))) return true;
    return this.#unreadable.has(fileOf(endpoint)) || this.#unreadable.has(olderFileOf(endpoint.name));
  }

  get(endpoint: EndpointRef): EndpointRecord | undefined {
    return this.#byId.get(endpointId(endpoint));
  }

  /** Returns up to `limit` wanted records that sort after a key. */
  after(key: SortKey | null, limit: number, isWanted: (record: EndpointRecord) => boolean): EndpointRecord[] {
    const isAfter = (record: EndpointRecord) => key === null || compareSortKeys(sortKeyOf(record), key) > 0;
    return this.all.filter((record) => isWanted(record) && isAfter(record)).slice(0, limit);
  }

  /** Calls a listener after each change of an endpoint, also its creation and removal. @returns a function that ends it */
  subscribe(listener: (endpoint: EndpointRef) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Runs work on an endpoint once the records are read and earlier work on it has ended. */
  async inTurn<T>(endpoint: EndpointRef, work: () => Promise<T>): Promise<T> {
    await this.load();
    return this.#locks.run(endpointId(endpoint), work);
  }

  /** Adds or replaces a record, on disk first. @throws StorageError when the disk takes nothing */
  async put(record: EndpointRecord): Promise<void> {
    await this.#write(record);
    this.publish(refOf(record));
  }

  /** Replaces a record, in memory first: what it reports is true even if the disk is full. */
  async report(record: EndpointRecord): Promise<void> {
    this.show(record);
    this.publish(refOf(record));
    await this.#write(record).catch((error: unknown) => {
      this.#deps.log.error(`endpoint ${endpointId(refOf(record))}: its state could not be saved`, error);
    });
  }

  /** Replaces a record in memory only: the progress of a start is not worth a write. */
  show(record: EndpointRecord): void {
    this.#byId.set(endpointId(refOf(record)), record);
    this.#sorted = null;
  }

  async remove(endpoint: EndpointRef): Promise<void> {
    await this.#awaited(this.#removeFiles(endpoint));
    this.#olderFiles.delete(endpointId(endpoint));
    this.#byId.delete(endpointId(endpoint));
    this.#sorted = null;
    this.publish(endpoint);
  }

  /** Publishes that something about the endpoints changed. @param endpoint the one whose record did */
  publish(endpoint?: EndpointRef): void {
    this.#revision++;
    this.#deps.publish({ type: 'endpoints.changed', endpoints: this.status });
    if (endpoint) for (const listener of this.#listeners) listener(endpoint);
  }

  /** Waits for reads and writes in progress. */
  async close(): Promise<void> {
    await Promise.allSettled(this.#working);
  }

  /**
   * Reads the records on disk. A damaged file is set aside, one of an earlier version renamed. On a disk that takes nothing,
   * a missing folder is empty.
   */
  async #load(): Promise<void> {
    const { folder, restore } = this.#deps;
    await makeFolder(folder).catch((error: unknown) => {
      if (!(error instanceof StorageError)) throw error;
    });
    const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return [];
      throw error;
    });
    const readAll = (read: (file: string) => Promise<EndpointRecord | null>) =>
      pLimit(READERS).map(names, async (file) => {
        const record = await read(file);
        if (record) this.show(restore(record));
      });
    await readAll((file) => this.#read(file));
    await readAll((file) => this.#readOlder(file)); // which counts only for an endpoint that has no file of this version
    this.#isLoaded = true;
    this.publish();
  }

  async #write(record: EndpointRecord): Promise<void> {
    const valid = EndpointRecord.parse(record); // fails here rather than at the next read
    await this.#awaited(makeFolder(this.#deps.folder).then(() => writeJsonFile(this.#pathOf(refOf(valid)), valid)));
    this.show(valid);
  }

  async #removeFiles(endpoint: EndpointRef): Promise<void> {
    const { folder } = this.#deps;
    // First the one of an earlier version that was skipped: alone, it would be read at the next start.
    const isInOlder = (await olderNamespace(folder, endpoint.name)) === endpoint.namespace;
    if (isInOlder) await rm(join(folder, olderFileOf(endpoint.name)), { force: true });
    await rm(this.#pathOf(endpoint), { force: true });
  }

  /** Does work that `close` waits for. */
  async #awaited(work: Promise<void>): Promise<void> {
    this.#working.add(work);
    try {
      await work;
    } finally {
      this.#working.delete(work);
    }
  }

  /** Reads a file of this version, or removes a draft. */
  async #read(file: string): Promise<EndpointRecord | null> {
    if (isDraft(file)) await rm(join(this.#deps.folder, file), { force: true });
    const endpoint = endpointInFile(file);
    const record = endpoint && (await this.#recordIn(file));
    if (!record || endpointId(refOf(record)) === endpointId(endpoint)) return record;
    return this.#skip(file, `the endpoint in it is named "${endpointId(refOf(record))}"`);
  }

  /** Reads a file of an earlier version, and renames it. One that cannot be renamed stays in use. */
  async #readOlder(file: string): Promise<EndpointRecord | null> {
    const name = nameInOlderFile(file);
    const record = name === null ? null : await this.#recordIn(file);
    if (!record) return null;
    const endpoint = refOf(record);
    if (endpoint.name !== name) return this.#skip(file, `the endpoint in it is named "${endpointId(endpoint)}"`);
    if (this.has(endpoint)) return this.#skip(file, `${fileOf(endpoint)} has its endpoint`);
    const path = join(this.#deps.folder, fileOf(endpoint));
    const isRenamed = !(await pathExists(path)) && (await succeeds(rename(join(this.#deps.folder, file), path)));
    if (!isRenamed) this.#olderFiles.set(endpointId(endpoint), file);
    return record;
  }

  async #recordIn(file: string): Promise<EndpointRecord | null> {
    const path = join(this.#deps.folder, file);
    const stored = await readStoredFile<EndpointRecord>(path, EndpointRecord, this.#deps.log).catch(
      (error: unknown) => {
        this.#deps.log.error(`${path}: the record of its endpoint cannot be read`, error);
        this.#unreadable.add(file);
        return null;
      },
    );
    return stored?.value ?? null;
  }

  #skip(file: string, why: string): null {
    this.#deps.log.warn(`${join(this.#deps.folder, file)} is skipped: ${why}`);
    return null;
  }

  #pathOf(endpoint: EndpointRef): string {
    return join(this.#deps.folder, this.#olderFiles.get(endpointId(endpoint)) ?? fileOf(endpoint));
  }
}
