import type { ComputeOffer } from '../catalog/compute/compute-offer.ts';
import { hardwareList } from '../catalog/compute/hardware-list.ts';
import type { Hardware } from '../contract/compute/hardware.ts';
import type { EndpointRef } from '../contract/endpoints/endpoint.ts';
import type { EndpointImage } from '../contract/endpoints/endpoint-image.ts';
import type { EndpointLog, EndpointLogFile } from '../contract/endpoints/endpoint-log.ts';
import type { EndpointChange, EndpointRequest } from '../contract/endpoints/endpoint-request.ts';
import type { LineFilter, LineQuery } from '../shared/line-selection.ts';
import { buildFromRequest } from './description/endpoint-builder.ts';
import { offerFor, placedIfMoved, placedOn } from './description/placement.ts';
import { type EndpointCaller, mayUse, personOf } from './endpoint-caller.ts';
import type { Endpoints } from './endpoints.ts';
import { leavesImage } from './local-image.ts';
import type { StoredEndpoint } from './records/stored-endpoint.ts';
import { NamespaceNotFound } from './states/errors.ts';
import type { Supervisor } from './supervisor.ts';

interface EndpointManagementDeps {
  readonly endpoints: Endpoints;
  readonly offers: () => Promise<readonly ComputeOffer[]>;
  readonly supervisor: Pick<Supervisor, 'removeAfterEnd' | 'output'>;
  readonly traffic: { forget(endpoint: EndpointRef): void };
  /** Chooses the image of a model that a client leaves to this machine. @throws InvalidBody */
  readonly localImage: (model: EndpointRequest['model'], offer: ComputeOffer) => Promise<EndpointImage>;
}

/**
 * Manages the endpoints of a namespace for one caller, with the operations of the hub's management interface. Every
 * method throws NamespaceNotFound when the caller may not use the namespace.
 */
export class EndpointManagement {
  readonly #deps: EndpointManagementDeps;

  constructor(deps: EndpointManagementDeps) {
    this.#deps = deps;
  }

  /** @throws InvalidQuery */
  async list(caller: EndpointCaller, namespace: string, page: Parameters<Endpoints['list']>[1]) {
    return this.#allowed(caller, namespace).list(namespace, page);
  }

  /** Creates an endpoint from a complete request. @throws InvalidBody, NoCompatibleCompute */
  async create(caller: EndpointCaller, namespace: string, request: EndpointRequest): Promise<StoredEndpoint> {
    const endpoints = this.#allowed(caller, namespace);
    await endpoints.load(); // `takenIn` needs it
    const offers = await this.#deps.offers();
    const model = await this.#withImage(offers, request, request);
    const parts = placedOn(offers, buildFromRequest(model, endpoints.takenIn(namespace)));
    const { mayUseProcessor = false } = request.compute;
    const person = personOf(caller);
    return endpoints.create({ namespace, parts, person, reasons: [], namePath: ['name'], mayUseProcessor });
  }

  /** @throws EndpointNotFound */
  async get(caller: EndpointCaller, namespace: string, name: string): Promise<StoredEndpoint> {
    return this.#allowed(caller, namespace).get(namespace, name);
  }

  /** @throws EndpointNotFound, InvalidBody, NoCompatibleCompute */
  async update(
    caller: EndpointCaller,
    namespace: string,
    name: string,
    change: EndpointChange,
  ): Promise<StoredEndpoint> {
    const endpoints = this.#allowed(caller, namespace);
    const offers = await this.#deps.offers();
    const wanted = await this.#withImage(offers, await endpoints.get(namespace, name), change);
    return endpoints.update(namespace, name, wanted, personOf(caller), (before, after) =>
      placedIfMoved(offers, before, after),
    );
  }

  /** The request with the image that this machine chooses, where it leaves that to it. */
  async #withImage<T extends EndpointChange>(
    offers: readonly ComputeOffer[],
    before: Pick<EndpointRequest, 'provider' | 'compute' | 'model'>,
    request: T,
  ): Promise<T> {
    const { provider = before.provider, compute, model } = request;
    if (!model?.image || !leavesImage(provider, model.image)) return request;
    const { accelerator, instanceType, instanceSize } = { ...before.compute, ...compute };
    const offer = offerFor(offers, { provider, compute: { accelerator, instanceType, instanceSize } });
    if (!offer) return request; // which is refused for that
    const { repository = before.model.repository, revision, task = before.model.task } = model;
    const image = await this.#deps.localImage(
      { ...before.model, repository, revision, task, image: model.image },
      offer,
    );
    return { ...request, model: { ...model, image } };
  }

  /** @returns the removed endpoint @throws EndpointNotFound */
  async remove(caller: EndpointCaller, namespace: string, name: string): Promise<StoredEndpoint> {
    const endpoints = this.#allowed(caller, namespace);
    await endpoints.get(namespace, name); // refuses before anything ends
    const endpoint = { namespace, name };
    const removed = await this.#deps.supervisor.removeAfterEnd(endpoint, () => endpoints.remove(namespace, name));
    this.#deps.traffic.forget(endpoint);
    return removed;
  }

  /** @throws EndpointNotFound, InvalidBody when it runs already, may have no replica, or cannot sleep now */
  async apply(
    type: 'pause' | 'resume' | 'scale-to-zero',
    caller: EndpointCaller,
    namespace: string,
    name: string,
  ): Promise<StoredEndpoint> {
    return this.#allowed(caller, namespace).apply({ namespace, name }, { type }, { by: personOf(caller) });
  }

  /** @returns the wanted output of its processes @throws EndpointNotFound */
  async log(caller: EndpointCaller, namespace: string, name: string, query: LineQuery): Promise<EndpointLog> {
    await this.get(caller, namespace, name);
    return this.#deps.supervisor.output({ namespace, name }).page(query);
  }

  /** @returns all the output that is kept, or the lines that are looked for, as a text file @throws EndpointNotFound */
  async logFile(caller: EndpointCaller, namespace: string, name: string, filter: LineFilter): Promise<EndpointLogFile> {
    await this.get(caller, namespace, name);
    return this.#deps.supervisor.output({ namespace, name }).file(name, filter);
  }

  /** Lists the compute that endpoints can be placed on. */
  async hardware(caller: EndpointCaller, namespace: string): Promise<Hardware> {
    this.#allowed(caller, namespace);
    return hardwareList(await this.#deps.offers());
  }

  #allowed(caller: EndpointCaller, namespace: string): Endpoints {
    if (!mayUse(caller, namespace)) throw new NamespaceNotFound(namespace);
    return this.#deps.endpoints;
  }
}
