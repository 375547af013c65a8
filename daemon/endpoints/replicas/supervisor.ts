import type { EndpointReport } from '../../contract/endpoints/endpoint-report.ts';
import type { Publish } from '../../shared/async/event-bus.ts';
import { settlesWithin } from '../../shared/async/settles-within.ts';
import type { Clock } from '../../shared/clock.ts';
import type { Logger } from '../../shared/logger.ts';
import { ShuttingDown } from '../../shared/shutting-down.ts';
import { lacksChatTemplate } from '../description/chat-template.ts';
import { unusedSettings } from '../description/unused-settings.ts';
import type { Endpoints } from '../endpoints.ts';
import { EndpointNotFound } from '../errors.ts';
import type { ReplicaMemory } from '../measured-memory/memory-record.ts';
import type { EndpointOutput } from '../output/endpoint-output.ts';
import type { EndpointRecord } from '../records/endpoint-record.ts';
import type { StoredEndpoint } from '../records/stored-endpoint.ts';
import type { EndpointEvent } from '../states/endpoint-lifecycle.ts';
import type { Acquiring, Backend, BackendAddress, Backends } from './backends.ts';
import { EndpointSupervisor } from './endpoint-supervisor.ts';
import type { ReplicaSetPlan } from './replica/replica-plan.ts';

/**
 * A container that ignores SIGTERM has 2 s, and a busy engine takes a second and more to kill and remove it. The daemon's own
 * stop takes at most 8 s, of which the robot has 2.5; what is left then is killed, a container at the next start.
 */
const CLOSE_MS = 4_500;

export interface SupervisorDeps {
  readonly endpoints: Endpoints;
  readonly planOf: (record: EndpointRecord) => ReplicaSetPlan;
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
    this.#unsubscribe = endpoints.subscribe((name) => this.#sync(name));
    for (const { endpoint } of endpoints.records) this.#sync(endpoint.name);
  }

  /** Ends all processes, within a limit. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#unsubscribe();
    const ended = Promise.all([...this.#supervisors.values()].map((one) => one.retire()));
    await settlesWithin(this.#deps.clock, CLOSE_MS, ended);
  }

  async acquire(name: string, acquiring: Acquiring): Promise<Backend> {
    const { endpoints } = this.#deps;
    const record = endpoints.record(name);
    if (this.#isClosed) throw new ShuttingDown();
    if (!record) throw new EndpointNotFound(name);
    return this.#of(name).acquire(acquiring);
  }

  peek(name: string): BackendAddress | null {
    return this.#supervisors.get(name)?.peek() ?? null;
  }

  /**
   * Ends an endpoint's processes, then removes it.
   * @throws the error of `remove`; the endpoint then runs again
   */
  async removeAfterEnd<T>(name: string, remove: () => Promise<T>): Promise<T> {
    const supervisor = this.#supervisors.get(name);
    await supervisor?.retire();
    try {
      const removed = await remove();
      this.#supervisors.delete(name);
      this.#sync(name); // another endpoint of that name may have been created at once
      return removed;
    } catch (error) {
      supervisor?.restore();
      throw error;
    }
  }

  /** The current activity of an endpoint. */
  async report({ endpoint, bringsChatTemplate, failure }: EndpointRecord): Promise<EndpointReport> {
    const supervisor = this.#supervisors.get(endpoint.name);
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
  output(name: string): EndpointOutput {
    return this.#of(name).output;
  }

  /** The resident memory of the replicas of each endpoint that has any. */
  async memory(): Promise<ReadonlyMap<string, readonly ReplicaMemory[]>> {
    const found = new Map<string, readonly ReplicaMemory[]>();
    for (const [name, supervisor] of this.#supervisors) {
      const each = supervisor.replicas.map(async ({ replica, state, slots }) => {
        const { container, countsFiles } = replica;
        const bytes = await replica.memoryBytes();
        return bytes === null ? [] : [{ bytes, isContainer: container !== null, countsFiles, state, slots }];
      });
      const known = (await Promise.all(each)).flat();
      if (known.length > 0) found.set(name, known);
    }
    return found;
  }

  #sync(name: string): void {
    if (this.#isClosed) return;
    if (this.#deps.endpoints.record(name)) this.#of(name).sync();
    else this.#supervisors.get(name)?.sync();
  }

  #of(name: string): EndpointSupervisor {
    const known = this.#supervisors.get(name);
    if (known) return known;
    const { endpoints, planOf, priceOf, gpuUsage, clock, log } = this.#deps;
    const made: EndpointSupervisor = new EndpointSupervisor({
      name,
      record: () => endpoints.record(name),
      apply: (event, more) => this.#apply(name, event, more),
      show: (message) => endpoints.show(name, message),
      onLogGrew: () => this.#deps.publish({ type: 'endpoint-log.grew', name, last: made.output.last }),
      planOf,
      priceOf,
      gpuUsage,
      clock,
      log,
    });
    this.#supervisors.set(name, made);
    return made;
  }

  /** A refusal has no meaning here: the status changed in the meantime, and the next `sync` follows it. */
  async #apply(name: string, event: EndpointEvent, more?: Parameters<Endpoints['apply']>[2]): Promise<void> {
    if (this.#isClosed) return;
    await this.#deps.endpoints.apply(name, event, more).catch((error: unknown) => {
      if (!(error instanceof EndpointNotFound))
        this.#deps.log.error(`endpoint ${name}: ${event.type} was refused`, error);
    });
  }
}
