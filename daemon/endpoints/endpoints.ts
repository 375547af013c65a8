import { isDeepStrictEqual } from 'node:util';
import type { CardProblem } from '../contract/compute/graphics-cards.ts';
import type { EndpointRef, EndpointsStatus, Person } from '../contract/endpoints/endpoint.ts';
import { endpointId } from '../contract/endpoints/endpoint-id.ts';
import type { EndpointChange } from '../contract/endpoints/endpoint-request.ts';
import type { Publish } from '../shared/async/event-bus.ts';
import type { Now } from '../shared/clock.ts';
import type { SecretStore } from '../shared/files/secret-store.ts';
import { InvalidBody } from '../shared/invalid-input.ts';
import type { Logger } from '../shared/logger.ts';
import { changed } from './description/endpoint-change.ts';
import { nameTaken } from './description/endpoint-name.ts';
import { type EndpointParts, withoutUpdate } from './description/endpoint-parts.ts';
import { hasSameModel } from './description/model-source.ts';
import { isForCard } from './preparation/card-placement.ts';
import { type NumberedPage, numberedPage, pageAfter } from './records/endpoint-pages.ts';
import { type EndpointRecord, neverServed } from './records/endpoint-record.ts';
import { EndpointRecords } from './records/endpoint-records.ts';
import { type OpenSecrets, seal, unseal } from './records/endpoint-secrets.ts';
import type { StoredEndpoint } from './records/stored-endpoint.ts';
import { changedSettings, lifeAfter, lifeWith, personText, placedText } from './states/endpoint-life.ts';
import {
  advance,
  type EndpointEvent,
  type EventDetails,
  initialStatus,
  type Moment,
  servedInContainer,
} from './states/endpoint-lifecycle.ts';
import { EndpointNotFound } from './states/errors.ts';

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

export interface NewEndpoint {
  readonly namespace: string;
  readonly parts: EndpointParts;
  readonly person: Person;
  /** The reasons for its recipe and compute, a sentence each. */
  readonly reasons: readonly string[];
  /** The path of the name in the request. */
  readonly namePath: readonly string[];
  /** See `EndpointRecord`; default: no. */
  readonly mayUseProcessor?: boolean;
}

/**
 * The endpoints of this daemon. Names are unique in their namespace. Changes to one endpoint run one after the other, and
 * each takes effect once it is on disk. Every method waits until the stored endpoints have been read.
 */
export class Endpoints {
  readonly #deps: EndpointsDeps;
  readonly #records: EndpointRecords;
  /** The ids of the endpoints being created. */
  readonly #creating = new Set<string>();

  constructor(deps: EndpointsDeps) {
    this.#deps = deps;
    this.#records = new EndpointRecords({ ...deps, restore: (record) => this.#restored(record) });
  }

  /** Reads the stored endpoints, once. @throws Error when the folder cannot be read; the next call tries again */
  load(): Promise<void> {
    return this.#records.load();
  }

  /** The number of endpoints read so far, by state. */
  get status(): EndpointsStatus {
    return this.#records.status;
  }

  /** @returns whether an endpoint of that namespace has a name or is being created with it. Valid after `load` */
  takenIn(namespace: string): (name: string) => boolean {
    return (name) => this.#records.has({ namespace, name }) || this.#creating.has(endpointId({ namespace, name }));
  }

  /** See `pageAfter`. */
  list(namespace: string, page: Parameters<typeof pageAfter>[2]): ReturnType<typeof pageAfter> {
    return pageAfter(this.#records, namespace, page);
  }

  /** See `numberedPage`. */
  listing(page: NumberedPage): ReturnType<typeof numberedPage> {
    return numberedPage(this.#records, page);
  }

  /** The endpoint's record; undefined: there is none. Valid after `load`. */
  record(endpoint: EndpointRef): EndpointRecord | undefined {
    return this.#records.get(endpoint);
  }

  /** All records, newest first. Valid after `load`. */
  get records(): readonly EndpointRecord[] {
    return this.#records.all;
  }

  /** Calls a listener after each change of an endpoint, also its creation and removal. @returns a function that ends it */
  subscribe(listener: (endpoint: EndpointRef) => void): () => void {
    return this.#records.subscribe(listener);
  }

  /** @throws EndpointNotFound */
  async get(namespace: string, name: string): Promise<StoredEndpoint> {
    await this.load();
    return this.#find({ namespace, name }).endpoint;
  }

  /** Decrypts an endpoint's secrets for its processes. @throws EndpointSecretsUnreadable */
  secretsOf({ sealed }: Pick<EndpointRecord, 'sealed'>): Promise<OpenSecrets> {
    return unseal(sealed, this.#deps.secrets);
  }

  /** @throws InvalidBody when the name is taken or the daemon has 100,000 endpoints */
  async create({
    namespace,
    parts,
    person,
    reasons,
    namePath,
    mayUseProcessor = false,
  }: NewEndpoint): Promise<StoredEndpoint> {
    if (!this.#records.isLoaded) await this.load();
    // No await up to `#creating.add`: the name is taken at once.
    const { name } = parts;
    const id = endpointId({ namespace, name });
    if (this.takenIn(namespace)(name)) throw refused(namePath, nameTaken(name));
    if (this.#records.all.length + this.#creating.size >= MAX_ENDPOINTS)
      throw refused([], `There are ${MAX_ENDPOINTS} endpoints already. Delete some of them.`);
    this.#creating.add(id);
    try {
      const { parts: safe, sealed } = await seal(parts, null, this.#deps.secrets);
      const status = initialStatus(this.#moment(safe, person), person);
      const endpoint = { ...safe, status };
      const life = lifeWith([], { at: status.createdAt, kind: 'created', cause: `${personText(person)} created it.` });
      const record = { namespace, endpoint, reasons: [...reasons], sealed, ...neverServed, mayUseProcessor, life };
      await this.#records.put(record);
      return record.endpoint;
    } finally {
      this.#creating.delete(id);
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
    return this.#records.inTurn({ namespace, name }, async () => {
      const record = this.#find({ namespace, name });
      const { status, ...before } = record.endpoint;
      const previous = { parts: before, sealed: record.sealed };
      const { parts, sealed } = await seal(placed(before, changed(before, change)), previous, this.#deps.secrets);
      if (isDeepStrictEqual({ parts, sealed }, previous)) return record.endpoint;
      const event = { type: 'update-requested' } as const;
      const isSilent = isDeepStrictEqual({ parts, sealed }, { ...previous, parts: withoutUpdate(before, parts) });
      const after = isSilent
        ? { ...status, updatedAt: this.#deps.now().toISOString(), updatedBy: person }
        : advance(status, event, this.#moment(parts, person));
      const endpoint = { ...parts, status: after };
      const life = lifeAfter(record, { after, event, by: person, changed: changedSettings(before, parts) });
      const bringsChatTemplate = hasSameModel(before, parts) ? record.bringsChatTemplate : null;
      const failure = isSilent ? record.failure : null;
      const hasSameCompute = before.compute.accelerator === parts.compute.accelerator;
      const mayUseProcessor = record.mayUseProcessor && hasSameCompute; // what the owner chose is demanded
      const notOnCard = isForCard(parts) ? record.notOnCard : null;
      const next = { ...record, endpoint, sealed, bringsChatTemplate, mayUseProcessor, notOnCard, failure, life };
      await this.#records.put(next);
      return endpoint;
    });
  }

  /** @returns the removed endpoint @throws EndpointNotFound */
  remove(namespace: string, name: string): Promise<StoredEndpoint> {
    return this.#records.inTurn({ namespace, name }, async () => {
      const { endpoint } = this.#find({ namespace, name });
      await this.#records.remove({ namespace, name });
      return endpoint;
    });
  }

  /**
   * Applies an event that the supervisor reports, or a person requests. A report is true even if the disk is full: the
   * record changes in memory first then.
   * @throws EndpointNotFound, InvalidBody when its state does not allow what is requested
   */
  apply(
    of: EndpointRef,
    event: EndpointEvent,
    { by = null, failure, isStill = () => true }: EventDetails = {},
  ): Promise<StoredEndpoint> {
    return this.#records.inTurn(of, async () => {
      const record = this.#find(of);
      if (!isStill()) return record.endpoint;
      const { status } = record.endpoint;
      const after = advance(status, event, this.#moment(record.endpoint, by));
      if (after === status) return record.endpoint;
      const isReady = after.readyReplica > 0 && after.state === 'running';
      const next: EndpointRecord = {
        ...record,
        endpoint: { ...record.endpoint, status: after },
        hasServed: record.hasServed || isReady,
        servedInContainer: servedInContainer(record.servedInContainer, event, isReady),
        failure: isReady || by !== null ? null : (failure ?? record.failure),
        life: lifeAfter(record, { after, event, by }),
      };
      await (by === null ? this.#records.report(next) : this.#records.put(next));
      return next.endpoint;
    });
  }

  /** Keeps whether a model's file has a chat template. @param parts those that it was prepared for; ignored once they have another model */
  async foundChatTemplate(of: EndpointRef, parts: EndpointParts, bringsChatTemplate: boolean): Promise<void> {
    await this.#records.inTurn(of, async () => {
      const record = this.#records.get(of);
      if (!record || record.bringsChatTemplate === bringsChatTemplate) return;
      if (hasSameModel(record.endpoint, parts)) await this.#records.report({ ...record, bringsChatTemplate });
    });
  }

  /**
   * Keeps why an endpoint runs on the processor instead of the graphics card, and tells it in its life; null: it does not.
   * Never rejects.
   */
  async placed(of: EndpointRef, notOnCard: CardProblem | null): Promise<void> {
    await this.#records.inTurn(of, async () => {
      const record = this.#records.get(of);
      if (!record || isDeepStrictEqual(record.notOnCard, notOnCard)) return;
      const at = this.#deps.now().toISOString();
      const life = lifeWith(record.life, { at, kind: 'placed', cause: placedText(notOnCard) });
      await this.#records.report({ ...record, notOnCard, life });
    });
  }

  /** Shows the progress of a start, in memory only. Ignored for an unknown endpoint and in other states. */
  show(of: EndpointRef, message: string): void {
    const record = this.#records.get(of);
    if (!record) return;
    const { endpoint } = record;
    const after = advance(endpoint.status, { type: 'progress', message }, this.#moment(endpoint, null));
    if (after === endpoint.status) return;
    if (after.message !== endpoint.status.message)
      this.#records.show({ ...record, endpoint: { ...endpoint, status: after } });
    // Bytes, rate and stalls are in the report only.
    this.#records.publish();
  }

  /** Waits for reads and writes in progress. */
  close(): Promise<void> {
    return this.#records.close();
  }

  /** The record of an endpoint whose processes ended with the last daemon. */
  #restored(record: EndpointRecord): EndpointRecord {
    const { status } = record.endpoint;
    const event = { type: 'daemon-started', hasServed: record.hasServed } as const;
    const after = advance(status, event, this.#moment(record.endpoint, null));
    if (after.state === status.state && after.message === status.message) return record;
    const life = lifeAfter(record, { after, event, by: null });
    return { ...record, endpoint: { ...record.endpoint, status: after }, life };
  }

  #find(endpoint: EndpointRef): EndpointRecord {
    const record = this.#records.get(endpoint);
    if (!record) throw new EndpointNotFound(endpoint.name);
    return record;
  }

  #moment({ name, compute }: Pick<EndpointParts, 'name' | 'compute'>, by: Person | null): Moment {
    return { name, now: this.#deps.now(), by, scaling: compute.scaling };
  }
}

function refused(path: readonly string[], message: string): InvalidBody {
  return new InvalidBody(message, [{ path: [...path], message }]);
}
