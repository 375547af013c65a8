import type { ChosenCatalog } from '../catalog/remote/chosen-catalog.ts';
import { NO_CHAT_TEMPLATE } from '../contract/endpoints/chat-template.ts';
import type { OwnEndpoint } from '../contract/endpoints/endpoint.ts';
import type { EndpointHistory } from '../contract/endpoints/endpoint-history.ts';
import type { EndpointReport } from '../contract/endpoints/endpoint-report.ts';
import type { Endpoints } from './endpoints.ts';
import { endpointMemory } from './measured-memory/endpoint-memory.ts';
import type { MemoryRecords } from './measured-memory/memory-records.ts';
import { type EndpointRecord, refOf } from './records/endpoint-record.ts';
import type { StoredEndpoint } from './records/stored-endpoint.ts';
import { EndpointNotFound } from './states/errors.ts';
import type { Supervisor } from './supervisor.ts';
import type { TrafficRecords } from './traffic-records.ts';

/** An endpoint with its owner, the reasons for its compute, its current activity and its use. */
type ReportedEndpoint = Omit<OwnEndpoint, 'endpoint'> & { readonly endpoint: StoredEndpoint };

interface OwnEndpointsDeps {
  readonly endpoints: Endpoints;
  readonly supervisor: Supervisor;
  readonly traffic: TrafficRecords;
  readonly catalog: Pick<ChosenCatalog, 'load'>;
  readonly memoryRecords: MemoryRecords;
}

/** The endpoints of this daemon with their current activity, for the dashboard. */
export class OwnEndpoints {
  readonly #deps: OwnEndpointsDeps;

  constructor(deps: OwnEndpointsDeps) {
    this.#deps = deps;
  }

  /** A page, counted from 1, of the endpoints of all namespaces. */
  async list(query: Parameters<Endpoints['listing']>[0]) {
    const { records, ...page } = await this.#deps.endpoints.listing(query);
    return { endpoints: await Promise.all(records.map((record) => this.#reported(record))), ...page };
  }

  /** One endpoint with the events of its life. @throws EndpointNotFound */
  async detail(namespace: string, name: string) {
    const record = await this.#record(namespace, name);
    return { ...(await this.#reported(record)), life: record.life };
  }

  /** The use of an endpoint over the last hour. @throws EndpointNotFound */
  async history(namespace: string, name: string): Promise<EndpointHistory> {
    return this.#deps.traffic.history(refOf(await this.#record(namespace, name)));
  }

  async #record(namespace: string, name: string): Promise<EndpointRecord> {
    await this.#deps.endpoints.load();
    const record = this.#deps.endpoints.record({ namespace, name });
    if (!record) throw new EndpointNotFound(name);
    return record;
  }

  async #reported(record: EndpointRecord): Promise<ReportedEndpoint> {
    const { namespace, endpoint, reasons } = record;
    const report: EndpointReport = await this.#deps.supervisor.report(record);
    return {
      namespace,
      endpoint,
      reasons: report.lacksChatTemplate ? [...reasons, NO_CHAT_TEMPLATE] : reasons,
      report,
      traffic: this.#deps.traffic.of(refOf(record)),
      memory: await endpointMemory(endpoint, report.replicas, this.#deps),
    };
  }
}
