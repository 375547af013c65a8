import type { EndpointRef } from '../contract/endpoints/endpoint.ts';
import { endpointId } from '../contract/endpoints/endpoint-id.ts';
import type { Clock } from '../shared/clock.ts';
import type { Logger } from '../shared/logger.ts';
import type { EndpointUse, MemoryRecords, ReplicaMemory } from './measured-memory/memory-records.ts';
import { memorySettings } from './measured-memory/memory-settings.ts';
import type { StoredEndpoint } from './records/stored-endpoint.ts';
import { SPAN_MS } from './traffic-history.ts';
import type { TrafficRecords } from './traffic-records.ts';

interface MemoryWatchDeps {
  readonly clock: Pick<Clock, 'after'>;
  /** The memory of each replica of each endpoint that has any, in bytes. */
  readonly memory: () => Promise<readonly EndpointUse[]>;
  readonly endpoint: (endpoint: EndpointRef) => StoredEndpoint | undefined;
  readonly traffic: Pick<TrafficRecords, 'usesMemory' | 'answers'>;
  readonly records: Pick<MemoryRecords, 'note'>;
  readonly log: Logger;
}

/** The first look at an endpoint whose replicas all have its settings. */
interface FirstLook {
  readonly settings: string;
  /** The requests that the endpoint had answered by then, also with other settings. */
  readonly answers: number;
}

/** Notes the memory of the endpoints' replicas twice in each span of their history, and what one used at most. */
export class MemoryWatch {
  readonly #deps: MemoryWatchDeps;
  #cancel = () => {};
  #isRunning = false;
  /** By the ids of the endpoints, as of the last look. */
  #firstLooks: ReadonlyMap<string, FirstLook> = new Map();

  constructor(deps: MemoryWatchDeps) {
    this.#deps = deps;
  }

  start(): void {
    this.#isRunning = true;
    this.#next();
  }

  stop(): void {
    this.#isRunning = false;
    this.#cancel();
  }

  #next(): void {
    if (!this.#isRunning) return;
    this.#cancel = this.#deps.clock.after(SPAN_MS / 2, () => void this.#note().finally(() => this.#next()));
  }

  async #note(): Promise<void> {
    const { memory, endpoint: endpointOf, traffic, records, log } = this.#deps;
    const firstLooks = new Map<string, FirstLook>();
    try {
      for (const { endpoint: of, replicas } of await memory()) {
        const sum = replicas.reduce((total, { bytes }) => total + bytes, 0);
        traffic.usesMemory(of, sum);
        const endpoint = endpointOf(of);
        if (!endpoint) continue;
        const answers = traffic.answers(of);
        const id = endpointId(of);
        const first = this.#firstLook(id, endpoint, replicas, answers);
        if (first) firstLooks.set(id, first);
        records.note(endpoint, replicas, answers - (first?.answers ?? answers));
      }
      this.#firstLooks = firstLooks;
    } catch (error) {
      log.error('the memory of the endpoints could not be measured', error);
    }
  }

  /** @returns null while an answer may come from a replica with other settings */
  #firstLook(
    id: string,
    endpoint: StoredEndpoint,
    replicas: readonly ReplicaMemory[],
    answers: number,
  ): FirstLook | null {
    if (endpoint.status.state !== 'running' || replicas.some(({ state }) => state === 'draining')) return null;
    const isContainer = replicas.some((replica) => replica.isContainer);
    const settings = JSON.stringify([memorySettings(endpoint, replicas[0]?.slots ?? null), isContainer]);
    const known = this.#firstLooks.get(id);
    return known?.settings === settings ? known : { settings, answers };
  }
}
