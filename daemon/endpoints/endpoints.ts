import { isDeepStrictEqual } from 'node:util';
import type { EndpointState, EndpointsStatus, Person } from '../contract/endpoints/endpoint.ts';
import type { EndpointFailure } from '../contract/endpoints/endpoint-report.ts';
import type { EndpointChange } from '../contract/endpoints/endpoint-request.ts';
import type { Publish } from '../shared/async/event-bus.ts';
import { KeyedMutex } from '../shared/async/mutex.ts';
import type { Now } from '../shared/clock.ts';
import type { SecretStore } from '../shared/files/secret-store.ts';
import { InvalidBody } from '../shared/invalid-input.ts';
import type { Logger } from '../shared/logger.ts';
import { changed } from './description/endpoint-change.ts';
import { nameTaken } from './description/endpoint-name.ts';
import type { EndpointParts } from './description/endpoint-parts.ts';
import { EndpointNotFound, refusalOf } from './errors.ts';
import { EndpointRecord, sortKeyOf } from './records/endpoint-record.ts';
import { type OpenSecrets, seal, unseal } from './records/endpoint-secrets.ts';
import { EndpointStore } from './records/endpoint-store.ts';
import { cursorAt, sortKeyAt } from './records/page-cursor.ts';
import type { StoredEndpoint, StoredStatus } from './records/stored-endpoint.ts';
import { advance, type EndpointEvent, initialStatus, isRefusal, type Moment } from './states/endpoint-lifecycle.ts';

/** Ten times the number measured to be fast. */
const MAX_ENDPOINTS = 100_000;

export interface EndpointsDeps {
  /** Holds a file for each endpoint; created when missing. */
  readonly folder: string;
  readonly secrets: SecretStore;
  readonly publish: Publish;
  readonly now: Now;
  readonly log: Logger;
}

/** A page of a namespace's endpoints. */
export interface EndpointsAfter {
  readonly items: readonly StoredEndpoint[];
  readonly nextCursor?: string;
}

export interface NewEndpoint {
  readonly namespace: string;
  readonly parts: EndpointParts;
  readonly person: Person;
  /** The reasons for its recipe and compute, a sentence each. */
  readonly reasons: readonly string[];
  /** The path of the name in the request. */
  readonly namePath: readonly string[];
}

/**
 * The endpoints of this daemon. Names are unique across namespaces. Changes to one endpoint run one after the other, and
 * each takes effect once it is on disk. Every method waits until the stored endpoints have been read.
 */
export class Endpoints {
  readonly #deps: EndpointsDeps;
  readonly #store: EndpointStore;
  readonly #locks = new KeyedMutex();
  readonly #listeners = new Set<(name: string) => void>();
  /** The names of the endpoints being created. */
  readonly #creating = new Set<string>();
  readonly #writing = new Set<Promise<void>>();
  #loading: Promise<void> | null = null;
  #isLoaded = false;
  #revision = 0;

  constructor(deps: EndpointsDeps) {
    this.#deps = deps;
    this.#store = new EndpointStore(deps.folder, deps.log);
  }

  /** Reads the stored endpoints, once. @throws Error when the folder cannot be read; the next call tries again */
  load(): Promise<void> {
    this.#loading ??= this.#load().catch((error: unknown) => {
      this.#loading = null;
      throw error;
    });
    return this.#loading;
  }

  /** The number of endpoints read so far, by state. */
  get status(): EndpointsStatus {
    const states: Partial<Record<EndpointState, number>> = {};
    for (const { endpoint } of this.#store.all) {
      states[endpoint.status.state] = (states[endpoint.status.state] ?? 0) + 1;
    }
    return { total: this.#store.all.length, revision: this.#revision, states };
  }

  /** Whether an endpoint has the name or is being created with it. Valid after `load`. */
  readonly isTaken = (name: string): boolean => this.#store.has(name) || this.#creating.has(name);

  /**
   * Lists a namespace's endpoints, newest first.
   * @param cursor the previous page's `nextCursor`
   * @throws InvalidQuery for an unknown cursor
   */
  async list(
    namespace: string,
    { limit, cursor }: { limit: number; cursor?: string | undefined },
  ): Promise<EndpointsAfter> {
    await this.load();
    const after = cursor === undefined ? null : sortKeyAt(cursor);
    const found = this.#store.after(after, limit + 1, (record) => record.namespace === namespace);
    const items = found.slice(0, limit);
    const last = items.at(-1);
    return {
      items: items.map(({ endpoint }) => endpoint),
      ...(found.length > limit && last ? { nextCursor: cursorAt(sortKeyOf(last)) } : {}),
    };
  }

  /** A page, counted from 1, of the endpoints of all namespaces. */
  async listing(wanted: {
    readonly name?: string | undefined;
    readonly state?: EndpointState | undefined;
    readonly page: number;
    readonly limit: number;
  }) {
    await this.load();
    const { name, state, page, limit } = wanted;
    const found = this.#store.all.filter(
      ({ endpoint }) =>
        (name === undefined || endpoint.name === name) && (state === undefined || endpoint.status.state === state),
    );
    return {
      records: found.slice((page - 1) * limit, page * limit),
      matches: found.length,
      page,
      pages: Math.ceil(found.length / limit),
      status: this.status,
    };
  }

  /** The endpoint's record; undefined: there is none. Valid after `load`. */
  record(name: string): EndpointRecord | undefined {
    return this.#store.get(name);
  }

  /** All records, newest first. Valid after `load`. */
  get records(): readonly EndpointRecord[] {
    return this.#store.all;
  }

  /** Calls a listener after each change of an endpoint, also its creation and removal. @returns a function that ends it */
  subscribe(listener: (name: string) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** @throws EndpointNotFound */
  async get(namespace: string, name: string): Promise<StoredEndpoint> {
    await this.load();
    return this.#find(name, namespace).endpoint;
  }

  /** Decrypts an endpoint's secrets for its container. @throws EndpointNotFound, EndpointSecretsUnreadable */
  async secretsOf(name: string): Promise<OpenSecrets> {
    await this.load();
    return unseal(this.#find(name).sealed, this.#deps.secrets);
  }

  /** @throws InvalidBody when the name is taken or the daemon has 100,000 endpoints */
  async create({ namespace, parts, person, reasons, namePath }: NewEndpoint): Promise<StoredEndpoint> {
    if (!this.#isLoaded) await this.load();
    // No await up to `#creating.add`: the name is taken at once.
    const { name } = parts;
    if (this.isTaken(name)) {
      throw new InvalidBody(nameTaken(name), [{ path: [...namePath], message: nameTaken(name) }]);
    }
    if (this.#store.all.length + this.#creating.size >= MAX_ENDPOINTS) {
      const message = `There are ${MAX_ENDPOINTS} endpoints already. Delete some of them.`;
      throw new InvalidBody(message, [{ path: [], message }]);
    }
    this.#creating.add(name);
    try {
      const { secrets } = this.#deps;
      const { parts: safe, sealed } = await seal(parts, null, secrets);
      const status = initialStatus(this.#moment(safe, person), person);
      const endpoint = { ...safe, status };
      const record = { namespace, endpoint, reasons: [...reasons], sealed, hasServed: false, failure: null };
      await this.#put(record);
      return record.endpoint;
    } finally {
      this.#creating.delete(name);
    }
  }

  /**
   * @param placed places the changed endpoint on compute, if its compute changed
   * @throws EndpointNotFound, InvalidBody with every issue, any error of `placed`
   */
  update(
    namespace: string,
    name: string,
    change: EndpointChange,
    person: Person,
    placed: (before: EndpointParts, after: EndpointParts) => EndpointParts = (_before, after) => after,
  ): Promise<StoredEndpoint> {
    return this.#inTurn(name, async () => {
      const record = this.#find(name, namespace);
      const { status, ...before } = record.endpoint;
      const previous = { parts: before, sealed: record.sealed };
      const { parts, sealed } = await seal(placed(before, changed(before, change)), previous, this.#deps.secrets);
      if (isDeepStrictEqual({ parts, sealed }, previous)) return record.endpoint;
      const after = this.#advanced(name, status, { type: 'update-requested' }, this.#moment(parts, person));
      return this.#put({ ...record, endpoint: { ...parts, status: after }, sealed, failure: null });
    });
  }

  /** @throws EndpointNotFound */
  pause(namespace: string, name: string, person: Person): Promise<StoredEndpoint> {
    return this.#transition(name, { type: 'pause' }, person, { namespace });
  }

  /** @throws EndpointNotFound, EndpointAlreadyRunning, EndpointHasNoReplicas */
  resume(namespace: string, name: string, person: Person): Promise<StoredEndpoint> {
    return this.#transition(name, { type: 'resume' }, person, { namespace });
  }

  /** @throws EndpointNotFound, EndpointCannotSleep */
  scaleToZero(namespace: string, name: string, person: Person): Promise<StoredEndpoint> {
    return this.#transition(name, { type: 'scale-to-zero' }, person, { namespace });
  }

  /** @returns the removed endpoint @throws EndpointNotFound */
  remove(namespace: string, name: string): Promise<StoredEndpoint> {
    return this.#inTurn(name, async () => {
      const { endpoint } = this.#find(name, namespace);
      await this.#written(this.#store.remove(name));
      this.#changed(name);
      return endpoint;
    });
  }

  /**
   * Applies an event that the supervisor reports. Events are true even if the disk is full: the record changes in
   * memory first.
   * @param more `failure` with the events of a failure; `isStill` is asked once earlier changes of the endpoint are done:
   * false drops the event
   * @throws EndpointNotFound
   */
  apply(
    name: string,
    event: EndpointEvent,
    more: { readonly failure?: EndpointFailure; readonly isStill?: () => boolean } = {},
  ): Promise<StoredEndpoint> {
    return this.#transition(name, event, null, more);
  }

  /** Shows the progress of a start, in memory only. Ignored for an unknown endpoint and in other states. */
  show(name: string, message: string): void {
    const record = this.#store.get(name);
    if (!record) return;
    const { endpoint } = record;
    const after = advance(endpoint.status, { type: 'progress', message }, this.#moment(endpoint, null));
    if (isRefusal(after) || after === endpoint.status) return;
    if (after.message !== endpoint.status.message)
      this.#store.show({ ...record, endpoint: { ...endpoint, status: after } });
    // Bytes, rate and stalls are in the report only.
    this.#changed();
  }

  /** Waits for reads and writes in progress. */
  async close(): Promise<void> {
    await Promise.allSettled([this.#loading, ...this.#writing]);
  }

  async #load(): Promise<void> {
    await this.#store.load((record) => {
      const { name, status } = record.endpoint;
      const event = { type: 'daemon-started', hasServed: record.hasServed } as const;
      const after = this.#advanced(name, status, event, this.#moment(record.endpoint, null));
      const isSame = after.state === status.state && after.message === status.message;
      return isSame ? record : { ...record, endpoint: { ...record.endpoint, status: after } };
    });
    this.#isLoaded = true;
    this.#changed();
  }

  #transition(
    name: string,
    event: EndpointEvent,
    person: Person | null,
    {
      namespace,
      failure = null,
      isStill = () => true,
    }: { namespace?: string; failure?: EndpointFailure | null; isStill?: () => boolean },
  ): Promise<StoredEndpoint> {
    return this.#inTurn(name, async () => {
      const record = this.#find(name, namespace);
      if (!isStill()) return record.endpoint;
      const { status } = record.endpoint;
      const after = this.#advanced(name, status, event, this.#moment(record.endpoint, person));
      if (after === status) return record.endpoint;
      const isReady = after.readyReplica > 0 && after.state === 'running';
      const next: EndpointRecord = {
        ...record,
        endpoint: { ...record.endpoint, status: after },
        hasServed: record.hasServed || isReady,
        failure: isReady || person !== null ? null : (failure ?? record.failure),
      };
      return person === null ? this.#report(next) : this.#put(next);
    });
  }

  async #inTurn<T>(name: string, work: () => Promise<T>): Promise<T> {
    await this.load();
    return this.#locks.run(name, work);
  }

  #find(name: string, namespace?: string): EndpointRecord {
    const record = this.#store.get(name);
    if (!record || (namespace !== undefined && record.namespace !== namespace)) throw new EndpointNotFound(name);
    return record;
  }

  #moment({ compute }: Pick<EndpointParts, 'compute'>, by: Person | null): Moment {
    return { now: this.#deps.now(), by, scaling: compute.scaling };
  }

  #advanced(name: string, status: StoredStatus, event: EndpointEvent, moment: Moment): StoredStatus {
    const after = advance(status, event, moment);
    if (isRefusal(after)) throw refusalOf(name, after);
    return after;
  }

  async #put(record: EndpointRecord): Promise<StoredEndpoint> {
    await this.#written(this.#store.put(EndpointRecord.parse(record))); // fails here rather than at the next read
    this.#changed(record.endpoint.name);
    return record.endpoint;
  }

  async #report(record: EndpointRecord): Promise<StoredEndpoint> {
    this.#store.show(record);
    this.#changed(record.endpoint.name);
    await this.#written(this.#store.put(EndpointRecord.parse(record))).catch((error: unknown) => {
      this.#deps.log.error(`endpoint ${record.endpoint.name}: its state could not be saved`, error);
    });
    return record.endpoint;
  }

  async #written(writing: Promise<void>): Promise<void> {
    this.#writing.add(writing);
    try {
      await writing;
    } finally {
      this.#writing.delete(writing);
    }
  }

  /** @param name the endpoint whose record changed */
  #changed(name?: string): void {
    this.#revision++;
    this.#deps.publish({ type: 'endpoints.changed', endpoints: this.status });
    if (name !== undefined) for (const listener of this.#listeners) listener(name);
  }
}
