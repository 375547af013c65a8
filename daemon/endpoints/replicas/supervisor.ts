import type { EndpointRef } from '../../contract/endpoints/endpoint.ts';
import { endpointId } from '../../contract/endpoints/endpoint-id.ts';
import type { EndpointReport } from '../../contract/endpoints/endpoint-report.ts';
import type { Publish } from '../../shared/async/event-bus.ts';
import { settlesWithin } from '../../shared/async/settles-within.ts';
import type { Clock } from '../../shared/clock.ts';
import { ShuttingDown } from '../../shared/domain-error.ts';
import type { Logger } from '../../shared/logger.ts';
import { lacksChatTemplate } from '../description/chat-template.ts';
import { unusedSettings } from '../description/unused-settings.ts';
import type { EndpointOutput } from '../endpoint-output.ts';
import type { Endpoints } from '../endpoints.ts';
import { EndpointNotFound } from '../errors.ts';
import type { EndpointUse } from '../measured-memory/memory-records.ts';
import { type EndpointRecord, refOf } from '../records/endpoint-record.ts';
import type { StoredEndpoint } from '../records/stored-endpoint.ts';
import type { EndpointEvent } from '../states/endpoint-lifecycle.ts';
import type { Acquiring, Backend, BackendAddress, Backends } from './backends.ts';
import { EndpointSupervisor } from './endpoint-supervisor.ts';
import type { PlanReplicas } from './replica/replica-plan.ts';

/**
 * A container that ignores SIGTERM has 2 s, and a busy engine takes a second and more to kill and remove it. The daemon's own
 * stop takes at most 8 s, of which the robot has 2.5; what is left then is killed, a container at the next start.
 */
const CLOSE_MS = 4_500;

export interface SupervisorDeps {
  readonly endpoints: Endpoints;
  readonly planOf: PlanReplicas;
  /** US dollars for an hour in which a replica runs; 0: it costs nothing, null: unknown. */
  readonly priceOf: (endpoint: StoredEndpoint) => Promise<number | null>;
  /** Percent of the graphics cards that all programs use; null: unknown. Never rejects. */
  readonly gpuUsage: () => Promise<number | null>;
  /** Whether a mail server is set up. */
  readonly canMail: () => boolean;
  readonly clock: Clock;
  readonly publish: Publish;
  readonly log: Logger;
}

/** Keeps the processes of all endpoints in line with their records, and gives their replicas to requests. */
export class Supervisor implements Backends {
  readonly #deps: SupervisorDeps;
  /** By the ids of the endpoints. */
  readonly #supervisors = new Map<string, EndpointSupervisor>();
  #unsubscribe = () => {};
  #isClosed = false;

  constructor(deps: SupervisorDeps) {
    this.#deps = deps;
  }

  /** Starts the endpoints that are to run, once they have been loaded. */
  async start(): Promise<void> {
    const { endpoints } = this.#deps;
    await endpoints.load();
    if (this.#isClosed) return;
    this.#unsubscribe = endpoints.subscribe((endpoint) => this.#sync(endpoint));
    for (const record of endpoints.records) this.#sync(refOf(record));
  }

  /** Ends all processes, within a limit. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#unsubscribe();
    const ended = Promise.all([...this.#supervisors.values()].map((one) => one.retire()));
    await settlesWithin(this.#deps.clock, CLOSE_MS, ended);
  }

  async acquire(endpoint: EndpointRef, acquiring: Acquiring): Promise<Backend> {
    const { endpoints } = this.#deps;
    const record = endpoints.record(endpoint);
    if (this.#isClosed) throw new ShuttingDown();
    if (!record) throw new EndpointNotFound(endpoint.name);
    return this.#of(endpoint).acquire(acquiring);
  }

  peek(endpoint: EndpointRef): BackendAddress | null {
    return this.#known(endpoint)?.peek() ?? null;
  }

  /**
   * Ends an endpoint's processes, then removes it.
   * @throws the error of `remove`; the endpoint then runs again
   */
  async removeAfterEnd<T>(endpoint: EndpointRef, remove: () => Promise<T>): Promise<T> {
    const supervisor = this.#known(endpoint);
    await supervisor?.retire();
    try {
      const removed = await remove();
      this.#supervisors.delete(endpointId(endpoint));
      this.#sync(endpoint); // another endpoint of that name may have been created at once
      return removed;
    } catch (error) {
      supervisor?.restore();
      throw error;
    }
  }

  /** The current activity of an endpoint. */
  async report(record: EndpointRecord): Promise<EndpointReport> {
    const { endpoint, bringsChatTemplate, failure } = record;
    const supervisor = this.#known(refOf(record));
    return {
      runtime: supervisor?.label ?? null,
      isWaking: supervisor?.isWaking ?? false,
      progress: supervisor?.control.progress ?? null,
      failure,
      replicas: await Promise.all(
        (supervisor?.replicas ?? []).map(async ({ id, replica, processor, state, isSilent, slots }) => ({
          id,
          pid: replica.pid,
          container: replica.container,
          state: state === 'ready' && isSilent ? 'silent' : state,
          requests: supervisor?.requestsOf(id) ?? 0,
          slots,
          memoryBytes: await replica.memoryBytes(),
          cpuPercent: await processor.percent(),
        })),
      ),
      scaling: supervisor?.control.scaling ?? null,
      lacksChatTemplate: lacksChatTemplate(endpoint.model, bringsChatTemplate),
      unused: unusedSettings(endpoint, this.#deps.canMail()),
    };
  }

  /** The output of an endpoint's processes so far. */
  output(endpoint: EndpointRef): EndpointOutput {
    return this.#of(endpoint).output;
  }

  /** The resident memory of the replicas of each endpoint that has any. */
  async memory(): Promise<readonly EndpointUse[]> {
    const found: EndpointUse[] = [];
    for (const supervisor of this.#supervisors.values()) {
      const each = supervisor.replicas.map(async ({ replica, state, slots }) => {
        const { container, countsFiles } = replica;
        const bytes = await replica.memoryBytes();
        return bytes === null ? [] : [{ bytes, isContainer: container !== null, countsFiles, state, slots }];
      });
      const known = (await Promise.all(each)).flat();
      if (known.length > 0) found.push({ endpoint: supervisor.endpoint, replicas: known });
    }
    return found;
  }

  #sync(endpoint: EndpointRef): void {
    if (this.#isClosed) return;
    if (this.#deps.endpoints.record(endpoint)) this.#of(endpoint).sync();
    else this.#known(endpoint)?.sync();
  }

  #known(endpoint: EndpointRef): EndpointSupervisor | undefined {
    return this.#supervisors.get(endpointId(endpoint));
  }

  #of(endpoint: EndpointRef): EndpointSupervisor {
    const known = this.#known(endpoint);
    if (known) return known;
    const { endpoints, planOf, priceOf, gpuUsage, clock, log } = this.#deps;
    const made: EndpointSupervisor = new EndpointSupervisor({
      endpoint,
      record: () => endpoints.record(endpoint),
      apply: (event, more) => this.#apply(endpoint, event, more),
      show: (message) => endpoints.show(endpoint, message),
      onLogGrew: () => this.#deps.publish({ type: 'endpoint-log.grew', ...endpoint, last: made.output.last }),
      planOf,
      priceOf,
      gpuUsage,
      clock,
      log,
    });
    this.#supervisors.set(endpointId(endpoint), made);
    return made;
  }

  /** A refusal has no meaning here: the status changed in the meantime, and the next `sync` follows it. */
  async #apply(endpoint: EndpointRef, event: EndpointEvent, more?: Parameters<Endpoints['apply']>[2]): Promise<void> {
    if (this.#isClosed) return;
    await this.#deps.endpoints.apply(endpoint, event, more).catch((error: unknown) => {
      if (!(error instanceof EndpointNotFound))
        this.#deps.log.error(`endpoint ${endpointId(endpoint)}: ${event.type} was refused`, error);
    });
  }
}
