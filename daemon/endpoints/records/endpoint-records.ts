import type { EndpointRef, EndpointState, EndpointsStatus } from '../../contract/endpoints/endpoint.ts';
import { endpointId } from '../../contract/endpoints/endpoint-id.ts';
import type { Publish } from '../../shared/async/event-bus.ts';
import { KeyedMutex } from '../../shared/async/mutex.ts';
import type { Logger } from '../../shared/logger.ts';
import { EndpointRecord, refOf } from './endpoint-record.ts';
import { EndpointStore } from './endpoint-store.ts';

interface EndpointRecordsDeps {
  /** Holds a file for each endpoint; created when missing. */
  readonly folder: string;
  /** Returns a record's state after the end of the process that wrote it. */
  readonly restore: (record: EndpointRecord) => EndpointRecord;
  readonly publish: Publish;
  readonly log: Logger;
}

/**
 * The records of this daemon's endpoints: read once, changed one after the other for each endpoint, and published after
 * every change.
 */
export class EndpointRecords extends EndpointStore {
  readonly #deps: EndpointRecordsDeps;
  readonly #locks = new KeyedMutex();
  readonly #listeners = new Set<(endpoint: EndpointRef) => void>();
  readonly #writing = new Set<Promise<void>>();
  #loading: Promise<void> | null = null;
  #isLoaded = false;
  #revision = 0;

  constructor(deps: EndpointRecordsDeps) {
    super(deps.folder, deps.log);
    this.#deps = deps;
  }

  /** Reads the stored endpoints, once. @throws Error when the folder cannot be read; the next call tries again */
  override load(): Promise<void> {
    this.#loading ??= this.#load().catch((error: unknown) => {
      this.#loading = null;
      throw error;
    });
    return this.#loading;
  }

  get isLoaded(): boolean {
    return this.#isLoaded;
  }

  /** The number of endpoints read so far, by state. */
  get status(): EndpointsStatus {
    const states: Partial<Record<EndpointState, number>> = {};
    for (const { endpoint } of this.all) {
      states[endpoint.status.state] = (states[endpoint.status.state] ?? 0) + 1;
    }
    return { total: this.all.length, revision: this.#revision, states };
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
  override async put(record: EndpointRecord): Promise<void> {
    await this.#written(super.put(EndpointRecord.parse(record))); // fails here rather than at the next read
    this.publish(refOf(record));
  }

  /** Replaces a record, in memory first: what it reports is true even if the disk is full. */
  async report(record: EndpointRecord): Promise<void> {
    this.show(record);
    this.publish(refOf(record));
    await this.#written(super.put(EndpointRecord.parse(record))).catch((error: unknown) => {
      this.#deps.log.error(`endpoint ${endpointId(refOf(record))}: its state could not be saved`, error);
    });
  }

  override async remove(endpoint: EndpointRef): Promise<void> {
    await this.#written(super.remove(endpoint));
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
    await Promise.allSettled([this.#loading, ...this.#writing]);
  }

  async #load(): Promise<void> {
    await super.load(this.#deps.restore);
    this.#isLoaded = true;
    this.publish();
  }

  async #written(writing: Promise<void>): Promise<void> {
    this.#writing.add(writing);
    try {
      await writing;
    } finally {
      this.#writing.delete(writing);
    }
  }
}
