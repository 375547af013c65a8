import type { EndpointRef, EndpointState } from '../../contract/endpoints/endpoint.ts';
import { EndpointOutput } from '../endpoint-output.ts';
import { asleepAndPaid } from '../errors.ts';
import type { EndpointRecord } from '../records/endpoint-record.ts';
import type { StoredEndpoint } from '../records/stored-endpoint.ts';
import type { Requester } from '../states/endpoint-lifecycle.ts';
import type { Acquiring, Backend, BackendAddress } from './backends.ts';
import { IdleWatch } from './idle-watch.ts';
import { Changes } from './replica/changes.ts';
import type { KeptReplica } from './replica/replica-keeper.ts';
import { ReplicaControl, type ReplicaControlDeps } from './replica-control.ts';
import { ReplicaRequests } from './replica-requests.ts';

/** The longest wait for the answers of an endpoint that is paused, or is to sleep. */
const REST_DRAIN_MS = 10_000;
const RUNS: ReadonlySet<EndpointState> = new Set(['pending', 'initializing', 'running', 'updating', 'updateFailed']);

export interface EndpointSupervisorDeps
  extends Pick<ReplicaControlDeps, 'apply' | 'show' | 'planOf' | 'gpuUsage' | 'clock' | 'log'> {
  readonly endpoint: EndpointRef;
  /** The endpoint's current record; undefined: it is gone. */
  readonly record: () => EndpointRecord | undefined;
  /** Called a few times a second at most while its processes write. */
  readonly onLogGrew: () => void;
  /** US dollars for an hour in which a replica runs; 0: it costs nothing, null: unknown. */
  readonly priceOf: (endpoint: StoredEndpoint) => Promise<number | null>;
}

/** Starts and ends the replicas of one endpoint as its status demands, and lets it sleep when it is unused. */
export class EndpointSupervisor {
  readonly #deps: EndpointSupervisorDeps;
  readonly #control: ReplicaControl;
  readonly #changes: Changes;
  readonly #requests: ReplicaRequests;
  readonly #idle: IdleWatch;
  #isRetired = false;
  /** Whether a replica served requests when it was looked at last. */
  #isReady = false;
  /** Of all its processes so far. */
  readonly output: EndpointOutput;

  constructor(deps: EndpointSupervisorDeps) {
    this.#deps = deps;
    const { endpoint, clock } = deps;
    this.output = new EndpointOutput(clock, deps.onLogGrew);
    this.#changes = new Changes(clock);
    this.#idle = new IdleWatch(clock, () => void this.#sleep());
    this.#control = new ReplicaControl({
      ...deps,
      record: () => this.#record(),
      requestsOf: (id) => this.requestsOf(id),
      onLine: (text, truncated) => this.output.add(text, truncated),
      onChange: () => this.#onChange(),
      changes: this.#changes,
    });
    this.#requests = new ReplicaRequests({
      name: endpoint.name,
      record: () => this.#record(),
      ready: () => this.#control.sets.ready,
      replicas: () => this.replicas,
      wake: (by) => this.#wake(by),
      onBegin: () => {
        this.#countRequests();
        this.#idle.stop();
      },
      onEnd: () => {
        this.#countRequests();
        this.#idle.used();
        this.#watchIdle();
      },
      changes: this.#changes,
      clock,
    });
  }

  get endpoint(): EndpointRef {
    return this.#deps.endpoint;
  }

  /** The name of the program that serves it; null: none was started yet. */
  get label(): string | null {
    return this.#control.sets.current?.set.label ?? null;
  }

  /** All its replicas, also those that are about to end. */
  get replicas(): readonly KeptReplica[] {
    return this.#control.sets.replicas;
  }

  /** Its current start, and why it has as many replicas as it has. */
  get control(): Pick<ReplicaControl, 'progress' | 'scaling'> {
    return this.#control;
  }

  /** Whether its sleep ends, and it has not been ready since. */
  get isWaking(): boolean {
    const { current } = this.#control.sets;
    if (!current) return false;
    const { wakes, set } = current;
    return wakes && !set.hasServed;
  }

  /** The requests that a replica has now. */
  requestsOf(id: string): number {
    return this.#requests.requestsOf(id);
  }

  /** Brings the replicas in line with the endpoint's record. */
  sync(): void {
    const record = this.#record();
    if (record && RUNS.has(record.endpoint.status.state)) this.#control.keep(record);
    else this.#control.end(record ? REST_DRAIN_MS : 0);
    this.#changes.notify();
    this.#watchIdle();
  }

  /** Ends all processes and starts none again, until `restore`. */
  async retire(): Promise<void> {
    this.#isRetired = true;
    this.sync();
    await this.#control.sets.ended;
  }

  restore(): void {
    this.#isRetired = false;
    this.sync();
  }

  peek(): BackendAddress | null {
    const first = this.#control.sets.ready.find(({ isSilent }) => !isSilent);
    return first ? { id: first.id, address: first.replica.address, healthRoute: first.replica.healthRoute } : null;
  }

  /** See `Backends.acquire`. */
  acquire(acquiring: Acquiring): Promise<Backend> {
    return this.#requests.acquire(acquiring);
  }

  /** The record whose status is to be followed; undefined: there is none, and no process is to run. */
  #record(): EndpointRecord | undefined {
    return this.#isRetired ? undefined : this.#deps.record();
  }

  #countRequests(): void {
    this.#control.requests(this.#requests.waiting + this.#requests.inFlight);
  }

  #onChange(): void {
    const isReady = this.#control.sets.ready.length > 0;
    if (isReady && !this.#isReady) this.#idle.used();
    this.#isReady = isReady;
    this.#requests.leaveSilent();
    this.#changes.notify();
  }

  /** @throws EndpointUnavailable when the sender may not wake it, because it costs money */
  async #wake(by: Requester | null): Promise<void> {
    const { endpoint, priceOf, apply } = this.#deps;
    const stored = this.#record()?.endpoint;
    if (stored && by?.mayWakePaid === false) {
      const pricePerHour = await priceOf(stored);
      const sleeps = this.#record()?.endpoint.status.state === 'scaledToZero'; // somebody else may have woken it
      if (pricePerHour !== 0 && sleeps) throw asleepAndPaid(endpoint.name, pricePerHour);
    }
    await apply({ type: 'requested', by });
  }

  /** Lets the endpoint sleep once it has been unused for its timeout. */
  #watchIdle(): void {
    this.#idle.stop();
    const record = this.#record();
    if (!record || this.#requests.isAny || this.#control.sets.ready.length === 0) return;
    const { status, compute } = record.endpoint;
    const { minReplica, scaleToZeroTimeout } = compute.scaling;
    if (minReplica > 0 || scaleToZeroTimeout === null) return;
    if (status.state !== 'running' && status.state !== 'updateFailed') return;
    this.#idle.start(scaleToZeroTimeout);
  }

  /** Takes the replicas out of service before the status changes: no request gets one that is about to end. */
  async #sleep(): Promise<void> {
    const { current } = this.#control.sets;
    if (this.#requests.isAny || !current) return;
    current.set.withdraw(true);
    await this.#deps.apply({ type: 'idle' });
    if (this.#control.sets.current !== current) return;
    current.set.withdraw(false);
    this.sync();
  }
}
