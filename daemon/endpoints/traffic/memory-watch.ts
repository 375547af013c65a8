import type { Clock } from '../../shared/clock.ts';
import type { Logger } from '../../shared/logger.ts';
import { SPAN_MS } from './traffic-history.ts';
import type { TrafficRecords } from './traffic-records.ts';

export interface MemoryWatchDeps {
  readonly clock: Pick<Clock, 'after'>;
  /** The memory of each endpoint that has processes, in bytes. */
  readonly memory: () => Promise<ReadonlyMap<string, number>>;
  readonly traffic: Pick<TrafficRecords, 'usesMemory'>;
  readonly log: Logger;
}

/** Notes the memory of the endpoints' processes twice in each span of their history. */
export class MemoryWatch {
  readonly #deps: MemoryWatchDeps;
  #cancel = () => {};
  #isRunning = false;

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
    const { memory, traffic, log } = this.#deps;
    try {
      for (const [name, bytes] of await memory()) traffic.usesMemory(name, bytes);
    } catch (error) {
      log.error('the memory of the endpoints could not be measured', error);
    }
  }
}
