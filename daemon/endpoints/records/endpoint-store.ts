import { readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import pLimit from 'p-limit';
import type { EndpointRef } from '../../contract/endpoints/endpoint.ts';
import { endpointId } from '../../contract/endpoints/endpoint-id.ts';
import { pathExists, succeeds } from '../../shared/async/succeeds.ts';
import { readStoredFile, writeJsonFile } from '../../shared/files/json-file.ts';
import { makeFolder } from '../../shared/files/make-folder.ts';
import { StorageError } from '../../shared/files/storage-errors.ts';
import type { Logger } from '../../shared/logger.ts';
import { endpointInFile, fileOf, isDraft, nameInOlderFile, olderFileOf, olderNamespace } from './endpoint-files.ts';
import { compareSortKeys, EndpointRecord, refOf, type SortKey, sortKeyOf } from './endpoint-record.ts';

/** The number of files read at a time. */
const READERS = 8;

/** Stores endpoints on disk, a file each, and in memory. */
export class EndpointStore {
  readonly #folder: string;
  readonly #log: Logger;
  readonly #byId = new Map<string, EndpointRecord>();
  /** null: to be sorted again. */
  #sorted: readonly EndpointRecord[] | null = null;
  /** The files that could not be read. */
  readonly #unreadable = new Set<string>();
  /** The files of earlier versions that stay in use, because they could not be renamed; by the ids of their endpoints. */
  readonly #olderFiles = new Map<string, string>();

  constructor(folder: string, log: Logger) {
    this.#folder = folder;
    this.#log = log;
  }

  /**
   * Reads the records on disk. A damaged file is set aside, one of an earlier version renamed. On a disk that takes nothing,
   * a missing folder is empty.
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
    const readAll = (read: (file: string) => Promise<EndpointRecord | null>) =>
      pLimit(READERS).map(names, async (file) => {
        const record = await read(file);
        if (record) this.show(restore(record));
      });
    await readAll((file) => this.#read(file));
    await readAll((file) => this.#readOlder(file)); // which counts only for an endpoint that has no file of this version
  }

  /** All of them, newest first, then by name. */
  get all(): readonly EndpointRecord[] {
    this.#sorted ??= [...this.#byId.values()].sort((a, b) => compareSortKeys(sortKeyOf(a), sortKeyOf(b)));
    return this.#sorted;
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

  /** Adds a record or replaces the one of the same endpoint, on disk first. */
  async put(record: EndpointRecord): Promise<void> {
    await makeFolder(this.#folder);
    await writeJsonFile(this.#pathOf(refOf(record)), record);
    this.show(record);
  }

  /** Replaces a record in memory only: the progress of a start is not worth a write. */
  show(record: EndpointRecord): void {
    this.#byId.set(endpointId(refOf(record)), record);
    this.#sorted = null;
  }

  async remove(endpoint: EndpointRef): Promise<void> {
    // First the one of an earlier version that was skipped: alone, it would be read at the next start.
    const { namespace, name } = endpoint;
    const isInOlder = (await olderNamespace(this.#folder, name)) === namespace;
    if (isInOlder) await rm(join(this.#folder, olderFileOf(name)), { force: true });
    await rm(this.#pathOf(endpoint), { force: true });
    this.#olderFiles.delete(endpointId(endpoint));
    this.#byId.delete(endpointId(endpoint));
    this.#sorted = null;
  }

  /** Reads a file of this version, or removes a draft. */
  async #read(file: string): Promise<EndpointRecord | null> {
    if (isDraft(file)) await rm(join(this.#folder, file), { force: true });
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
    const path = join(this.#folder, fileOf(endpoint));
    const isRenamed = !(await pathExists(path)) && (await succeeds(rename(join(this.#folder, file), path)));
    if (!isRenamed) this.#olderFiles.set(endpointId(endpoint), file);
    return record;
  }

  async #recordIn(file: string): Promise<EndpointRecord | null> {
    const path = join(this.#folder, file);
    const stored = await readStoredFile<EndpointRecord>(path, EndpointRecord, this.#log).catch((error: unknown) => {
      this.#log.error(`${path}: the record of its endpoint cannot be read`, error);
      this.#unreadable.add(file);
      return null;
    });
    return stored?.value ?? null;
  }

  #skip(file: string, why: string): null {
    this.#log.warn(`${join(this.#folder, file)} is skipped: ${why}`);
    return null;
  }

  #pathOf(endpoint: EndpointRef): string {
    return join(this.#folder, this.#olderFiles.get(endpointId(endpoint)) ?? fileOf(endpoint));
  }
}
