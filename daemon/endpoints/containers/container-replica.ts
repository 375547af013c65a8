import type { OwnContainer } from '../../containers/running-container.ts';
import type { CardUse } from '../../contract/compute/graphics-cards.ts';
import type { EndpointFailure } from '../../contract/endpoints/endpoint-report.ts';
import type { Clock } from '../../shared/clock.ts';
import { containerFailure } from '../failures/container-exit.ts';
import type { Replica, ReplicaAddress } from '../runtime/endpoint-runtime.ts';
import { healthStatus } from '../runtime/replica-connection.ts';
import type { ReplicaLog } from '../runtime/replica-log.ts';

/** Nobody reads its answers any more, and it has nothing to save. The daemon's own stop waits for it. */
const STOP_GRACE_MS = 2_000;

interface ContainerReplicaOptions {
  readonly clock: Clock;
  /** Gets the container's output. */
  readonly log: ReplicaLog;
  /** The path that answers 200 while it is healthy. */
  readonly healthRoute: string;
  /** The port that it listens on. */
  readonly port: number;
  /** Whether it may download or compile its model by itself. */
  readonly preparesModel: boolean;
  /** The most memory that it may take; null: no limit. */
  readonly memoryBytes: number | null;
  /** The name of the engine that runs it. */
  readonly engine: string;
}

/** A replica that is a container, reached at a port of 127.0.0.1. */
export class ContainerReplica implements Replica {
  readonly pid = null;
  readonly container: string;
  readonly address: ReplicaAddress;
  readonly containerPort: number;
  readonly healthRoute: string;
  readonly preparesModel: boolean;
  readonly countsFiles: boolean;
  readonly ended: Promise<void>;
  readonly exited: Promise<EndpointFailure>;
  readonly #own: OwnContainer;
  readonly #clock: Clock;
  readonly #log: ReplicaLog;
  #hasEnded = false;
  #stopping: Promise<void> | null = null;
  /** As it was measured last; null: never. */
  #usedBytes: number | null = null;

  /** Takes over a container that was started. */
  constructor(own: OwnContainer, options: ContainerReplicaOptions) {
    this.#own = own;
    this.#clock = options.clock;
    this.#log = options.log;
    this.container = own.id;
    this.address = own.published;
    this.containerPort = options.port;
    this.countsFiles = own.countsFiles;
    this.healthRoute = options.healthRoute;
    this.preparesModel = options.preparesModel;
    this.ended = own.ended.then(() => {
      this.#hasEnded = true;
    });
    const { memoryBytes: limitBytes, engine } = options;
    this.exited = own.exited.then((exit) =>
      containerFailure(exit, { lines: this.log, memory: { limitBytes, usedBytes: this.#usedBytes }, engine }),
    );
  }

  get log(): readonly string[] {
    return this.#log.lines;
  }

  get cardUse(): CardUse | null {
    return this.#log.cardUse;
  }

  async isHealthy(withinMs: number): Promise<boolean> {
    if (this.#hasEnded) return false;
    return (await healthStatus(this.#clock, this.address, this.healthRoute, withinMs)) === 200;
  }

  async memoryBytes(): Promise<number | null> {
    return (await this.#askUsage()).memoryBytes;
  }

  async cpuSeconds(): Promise<number | null> {
    return (await this.#askUsage()).cpuSeconds;
  }

  /** A second call joins the first. A container that has ended is removed. */
  stop(): Promise<void> {
    this.#stopping ??= this.#own.stop(STOP_GRACE_MS);
    return this.#stopping;
  }

  async #askUsage(): ReturnType<OwnContainer['usage']> {
    if (this.#hasEnded) return { memoryBytes: null, cpuSeconds: null };
    const usage = await this.#own.usage();
    this.#usedBytes = usage.memoryBytes ?? this.#usedBytes;
    return usage;
  }
}

/**
 * A replica that ended before it ran. A replica that ends is started again, and its next start waits for what was
 * missing; a start that throws fails the endpoint.
 */
export function endedReplica(failure: EndpointFailure, healthRoute: string): Replica {
  return {
    pid: null,
    container: null,
    containerPort: null,
    address: { host: '127.0.0.1', port: 0 },
    healthRoute,
    preparesModel: false,
    countsFiles: false,
    cardUse: null,
    ended: Promise.resolve(),
    exited: Promise.resolve(failure),
    isHealthy: async () => false,
    memoryBytes: async () => null,
    cpuSeconds: async () => null,
    log: [],
    stop: async () => {},
  };
}
