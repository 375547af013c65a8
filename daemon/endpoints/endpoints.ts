import { isDeepStrictEqual } from 'node:util';
import type {
  Endpoint,
  EndpointListing,
  EndpointPage,
  EndpointState,
  EndpointStatus,
  EndpointsStatus,
  Person,
} from '../contract/endpoints/endpoint.ts';
import type { EndpointChange } from '../contract/endpoints/endpoint-request.ts';
import type { Publish } from '../shared/async/event-bus.ts';
import { Turns } from '../shared/async/turns.ts';
import type { Now } from '../shared/clock.ts';
import type { SecretStore } from '../shared/files/secret-store.ts';
import { InvalidBody } from '../shared/invalid-input.ts';
import type { Logger } from '../shared/logger.ts';
import { changed } from './endpoint-change.ts';
import { advance, deployed, type EndpointEvent, isRefusal, type Moment } from './endpoint-lifecycle.ts';
import { nameTaken } from './endpoint-name.ts';
import type { EndpointParts } from './endpoint-parts.ts';
import { EndpointRecord, sortKeyOf } from './endpoint-record.ts';
import { type OpenSecrets, seal, unseal } from './endpoint-secrets.ts';
import { EndpointStore } from './endpoint-store.ts';
import { EndpointNotFound, refusalOf } from './errors.ts';
import { cursorAt, sortKeyAt } from './page-cursor.ts';

/** Ten times as many as are known to be quick. */
const MAX_ENDPOINTS = 100_000;

export interface EndpointsDeps {
  /** Where they are kept; made when it is not there. */
  readonly folder: string;
  readonly secrets: SecretStore;
  /** What an endpoint that is pending waits for, in one sentence. */
  readonly waitsFor: string;
  readonly publish: Publish;
  readonly now: Now;
  readonly log: Logger;
}

export interface NewEndpoint {
  readonly namespace: string;
  readonly parts: EndpointParts;
  readonly person: Person;
  /** What was weighed, a sentence each. */
  readonly reasons: readonly string[];
  /** Where in the request its name stands. */
  readonly namePath: readonly string[];
}

/**
 * The endpoints of this daemon. Names are unique over all namespaces. What happens to one happens one after the other,
 * and counts once it is on the disk; every method waits until what is there has been read.
 */
export class Endpoints {
  readonly #deps: EndpointsDeps;
  readonly #store: EndpointStore;
  readonly #turns = new Turns();
  /** The names of those that are being made. */
  readonly #making = new Set<string>();
  readonly #writing = new Set<Promise<void>>();
  #loading: Promise<void> | null = null;
  #isLoaded = false;
  #revision = 0;

  constructor(deps: EndpointsDeps) {
    this.#deps = deps;
    this.#store = new EndpointStore(deps.folder, deps.log);
  }

  /** Reads what is on the disk, once. @throws Error when the folder cannot be read */
  load(): Promise<void> {
    this.#loading ??= this.#load().catch((error: unknown) => {
      this.#loading = null; // the disk may be back the next time
      throw error;
    });
    return this.#loading;
  }

  /** How many there are, as far as they have been read. */
  get status(): EndpointsStatus {
    const states: Partial<Record<EndpointState, number>> = {};
    for (const { endpoint } of this.#store.all) {
      states[endpoint.status.state] = (states[endpoint.status.state] ?? 0) + 1;
    }
    return { total: this.#store.all.length, revision: this.#revision, states };
  }

  /** Whether an endpoint has the name, or will have it in a moment; to be asked after `load`. */
  readonly isTaken = (name: string): boolean => this.#store.get(name) !== undefined || this.#making.has(name);

  /**
   * Those of a namespace, newest first.
   * @param cursor the `nextCursor` of the page before
   * @throws InvalidQuery when it is none
   */
  async list(
    namespace: string,
    { limit, cursor }: { limit: number; cursor?: string | undefined },
  ): Promise<EndpointPage> {
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

  /** A page of all of them, counted from 1, with what was weighed when they were made. */
  async listing(wanted: {
    readonly name?: string | undefined;
    readonly state?: EndpointState | undefined;
    readonly page: number;
    readonly limit: number;
  }): Promise<EndpointListing> {
    await this.load();
    const { name, state, page, limit } = wanted;
    const found = this.#store.all.filter(
      ({ endpoint }) =>
        (name === undefined || endpoint.name === name) && (state === undefined || endpoint.status.state === state),
    );
    return {
      endpoints: found
        .slice((page - 1) * limit, page * limit)
        .map(({ namespace, endpoint, reasons }) => ({ namespace, endpoint, reasons })),
      matches: found.length,
      page,
      pages: Math.ceil(found.length / limit),
      status: this.status,
    };
  }

  /** @throws EndpointNotFound */
  async get(namespace: string, name: string): Promise<Endpoint> {
    await this.load();
    return this.#find(name, namespace).endpoint;
  }

  /** What its container is given. @throws EndpointNotFound, SecretUnreadable */
  async secretsOf(name: string): Promise<OpenSecrets> {
    await this.load();
    return unseal(this.#find(name).sealed, this.#deps.secrets);
  }

  /** @throws InvalidBody when the name has been taken meanwhile */
  async create({ namespace, parts, person, reasons, namePath }: NewEndpoint): Promise<Endpoint> {
    if (!this.#isLoaded) await this.load();
    // Nothing is waited for in between: the name is taken at once.
    const { name } = parts;
    if (this.isTaken(name)) {
      throw new InvalidBody(nameTaken(name), [{ path: [...namePath], message: nameTaken(name) }]);
    }
    if (this.#store.all.length + this.#making.size >= MAX_ENDPOINTS) {
      const message = `There are ${MAX_ENDPOINTS} endpoints already. Delete some of them.`;
      throw new InvalidBody(message, [{ path: [], message }]);
    }
    this.#making.add(name);
    try {
      const { secrets } = this.#deps;
      const { parts: safe, sealed } = await seal(parts, null, secrets);
      const status = deployed(this.#moment(safe, person), person);
      const record = { namespace, endpoint: { ...safe, status }, reasons: [...reasons], sealed };
      await this.#put(record);
      return record.endpoint;
    } finally {
      this.#making.delete(name);
    }
  }

  /**
   * @param placed finds where the changed endpoint can compute, if that is elsewhere than before, and tells it
   * @throws EndpointNotFound, InvalidBody with all that would not make sense, whatever `placed` throws
   */
  update(
    namespace: string,
    name: string,
    change: EndpointChange,
    person: Person,
    placed: (before: EndpointParts, after: EndpointParts) => EndpointParts = (_before, after) => after,
  ): Promise<Endpoint> {
    return this.#inTurn(name, async () => {
      const record = this.#find(name, namespace);
      const { status, ...before } = record.endpoint;
      const kept = { parts: before, sealed: record.sealed };
      const { parts, sealed } = await seal(placed(before, changed(before, change)), kept, this.#deps.secrets);
      if (isDeepStrictEqual({ parts, sealed }, kept)) return record.endpoint;
      const after = this.#advanced(name, status, { type: 'update-requested' }, this.#moment(parts, person));
      return this.#put({ ...record, endpoint: { ...parts, status: after }, sealed });
    });
  }

  /** @throws EndpointNotFound */
  pause(namespace: string, name: string, person: Person): Promise<Endpoint> {
    return this.#happen(name, { type: 'pause' }, person, namespace);
  }

  /** @throws EndpointNotFound, EndpointAlreadyRunning, EndpointHasNoReplicas */
  resume(namespace: string, name: string, person: Person): Promise<Endpoint> {
    return this.#happen(name, { type: 'resume' }, person, namespace);
  }

  /** @throws EndpointNotFound, EndpointCannotSleep */
  scaleToZero(namespace: string, name: string, person: Person): Promise<Endpoint> {
    return this.#happen(name, { type: 'scale-to-zero' }, person, namespace);
  }

  /** @returns how it was @throws EndpointNotFound */
  remove(namespace: string, name: string): Promise<Endpoint> {
    return this.#inTurn(name, async () => {
      const { endpoint } = this.#find(name, namespace);
      await this.#written(this.#store.remove(name));
      this.#changed();
      return endpoint;
    });
  }

  /** What whoever runs an endpoint saw happen to it. @throws EndpointNotFound */
  apply(name: string, event: EndpointEvent): Promise<Endpoint> {
    return this.#happen(name, event, null);
  }

  /** Waits until what is being read has been, and what is being written is on the disk. */
  async close(): Promise<void> {
    await Promise.allSettled([this.#loading, ...this.#writing]);
  }

  async #load(): Promise<void> {
    await this.#store.load((record) => {
      const { name, status } = record.endpoint;
      const after = this.#advanced(name, status, { type: 'daemon-started' }, this.#moment(record.endpoint, null));
      const isSame = after.state === status.state && after.message === status.message;
      return isSame ? record : { ...record, endpoint: { ...record.endpoint, status: after } };
    });
    this.#isLoaded = true;
    this.#changed();
  }

  #happen(name: string, event: EndpointEvent, person: Person | null, namespace?: string): Promise<Endpoint> {
    return this.#inTurn(name, async () => {
      const record = this.#find(name, namespace);
      const { status } = record.endpoint;
      const after = this.#advanced(name, status, event, this.#moment(record.endpoint, person));
      return after === status
        ? record.endpoint
        : this.#put({ ...record, endpoint: { ...record.endpoint, status: after } });
    });
  }

  async #inTurn<T>(name: string, work: () => Promise<T>): Promise<T> {
    await this.load();
    return this.#turns.run(name, work);
  }

  #find(name: string, namespace?: string): EndpointRecord {
    const record = this.#store.get(name);
    if (!record || (namespace !== undefined && record.namespace !== namespace)) throw new EndpointNotFound(name);
    return record;
  }

  #moment({ compute }: Pick<EndpointParts, 'compute'>, by: Person | null): Moment {
    return { now: this.#deps.now(), by, scaling: compute.scaling, waitsFor: this.#deps.waitsFor };
  }

  #advanced(name: string, status: EndpointStatus, event: EndpointEvent, moment: Moment): EndpointStatus {
    const after = advance(status, event, moment);
    if (isRefusal(after)) throw refusalOf(name, after);
    return after;
  }

  async #put(record: EndpointRecord): Promise<Endpoint> {
    await this.#written(this.#store.put(EndpointRecord.parse(record))); // what could not be read again is a bug now, not a loss later
    this.#changed();
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

  #changed(): void {
    this.#revision++;
    this.#deps.publish({ type: 'endpoints.changed', endpoints: this.status });
  }
}
