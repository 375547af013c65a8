import type { ContainerStats } from 'dockerode';
import { settlesWithin } from '../shared/async/settles-within.ts';
import type { Clock } from '../shared/clock.ts';

/** Memory in bytes, and processor time in seconds since the start of a container; null: unknown. */
export interface ContainerUsage {
  readonly memoryBytes: number | null;
  readonly cpuSeconds: number | null;
}

/**
 * Reads the statistics of an engine. Files in the cache of the system are not counted, as by its own command; Podman has
 * left them out itself, or cannot say (`EngineFacts.countsFiles`).
 */
export function usageOf({ memory_stats: memory, cpu_stats: cpu }: Partial<ContainerStats>): ContainerUsage {
  const { usage, stats } = (memory ?? {}) as { usage?: number; stats?: Record<string, number> };
  const cache = stats?.['total_inactive_file'] ?? stats?.['inactive_file'] ?? 0; // cgroup 1, 2
  const nanoseconds = cpu?.cpu_usage?.total_usage;
  return {
    memoryBytes: usage === undefined || usage === 0 ? null : Math.max(0, usage - cache),
    cpuSeconds: nanoseconds === undefined ? null : nanoseconds / 1e9,
  };
}

/** Those who ask for memory and for time share a measurement. */
const SHARED_MS = 100;
/** An engine answers in hundredths of a second. One that needs longer is busy or hangs, and nobody waits for it. */
const PATIENCE_MS = 1_000;

/** The newest figures of a container. One question is under way at most, and none is waited for while the engine is slow. */
export class UsageMeter {
  readonly #clock: Clock;
  readonly #ask: () => Promise<ContainerUsage>;
  #last: { readonly usage: ContainerUsage; readonly atMs: number } | null = null;
  #measuring: Promise<void> | null = null;
  #isSlow = false;

  /** @param ask asks the engine, within a limit */
  constructor(clock: Clock, ask: () => Promise<ContainerUsage>) {
    this.#clock = clock;
    this.#ask = ask;
  }

  /**
   * The memory as it was measured last, and the processor time now: a share of a time needs to know when it was measured.
   * Answers within 1 s, at once while the engine is slow. Never rejects.
   */
  async usage(): Promise<ContainerUsage> {
    if (!this.#isNew) {
      this.#measuring ??= this.#measure().finally(() => {
        this.#measuring = null;
      });
      if (!this.#isSlow && !(await settlesWithin(this.#clock, PATIENCE_MS, this.#measuring))) this.#isSlow = true;
    }
    const { memoryBytes = null, cpuSeconds = null } = this.#last?.usage ?? {};
    return { memoryBytes, cpuSeconds: this.#isNew ? cpuSeconds : null };
  }

  get #isNew(): boolean {
    return this.#last !== null && this.#clock.elapsedMs() - this.#last.atMs <= SHARED_MS;
  }

  async #measure(): Promise<void> {
    try {
      const usage = await this.#ask();
      this.#last = { usage, atMs: this.#clock.elapsedMs() };
      this.#isSlow = false;
    } catch {
      this.#isSlow = true;
    }
  }
}
