import type { ReplicaReport } from '../../contract/endpoints/endpoint-report.ts';
import type { CardPlace } from '../../graphics-cards/card-places.ts';
import type { Clock } from '../../shared/clock.ts';
import type { Replica } from '../runtime/endpoint-runtime.ts';

/** A share of a shorter time says little. */
const SHORTEST_MS = 1_000;
/** Readings are taken at least this often while a replica is ready, so that a share is one of the last seconds. */
const LONGEST_MS = 15_000;

interface Reading {
  readonly atMs: number;
  readonly seconds: number;
}

/** A process or container with what is known of it. */
export interface KeptReplica {
  readonly id: string;
  readonly replica: Replica;
  readonly processor: ProcessorMeter;
  state: Exclude<ReplicaReport['state'], 'silent'>;
  /** Whether it does not answer now, while it is ready. */
  isSilent: boolean;
  /** The requests that it answers at the same time; null: its program decides. */
  readonly slots: number | null;
  /** Its place on a graphics card; null: none. */
  readonly card: CardPlace | null;
}

/** The processor time that a replica uses. */
export class ProcessorMeter {
  readonly #replica: Pick<Replica, 'cpuSeconds'>;
  readonly #clock: Pick<Clock, 'elapsedMs'>;
  #before: Reading | null = null;
  #percent: number | null = null;

  constructor(replica: Pick<Replica, 'cpuSeconds'>, clock: Pick<Clock, 'elapsedMs'>) {
    this.#replica = replica;
    this.#clock = clock;
  }

  /**
   * The processor time since an earlier call, which was 1 s to 15 s ago; 100: one processor was busy. null: not known
   * yet, or not on this system. Never rejects.
   */
  async percent(): Promise<number | null> {
    const before = this.#before;
    if (before && this.#nowMs - before.atMs < SHORTEST_MS) return this.#percent;
    const seconds = await this.#replica.cpuSeconds().catch(() => null); // it may be about to end
    if (seconds === null) return null;
    const reading = { atMs: this.#nowMs, seconds };
    const ms = before ? reading.atMs - before.atMs : 0;
    // A process of it that has ended takes its time along: the sum may be less than before.
    if (before && ms > 0 && ms <= 2 * LONGEST_MS) {
      this.#percent = Math.max(0, (100 * (seconds - before.seconds) * 1_000) / ms);
    } else this.#percent = null;
    this.#before = reading;
    return this.#percent;
  }

  get #nowMs(): number {
    return this.#clock.elapsedMs();
  }
}

/**
 * How many more replicas the memory has room for, by the one that takes the most now.
 * @param availableBytes what they could take; null: unknown
 * @param ready replicas of the same kind
 * @returns null: unknown
 */
export async function memoryRoom(
  availableBytes: number | null,
  ready: readonly { readonly replica: Pick<Replica, 'memoryBytes' | 'countsFiles'> }[],
): Promise<number | null> {
  if (availableBytes === null) return null;
  const telling = ready.filter(({ replica }) => !replica.countsFiles);
  const known = await Promise.all(telling.map(({ replica }) => replica.memoryBytes()));
  const mostBytes = Math.max(0, ...known.filter((bytes) => bytes !== null));
  return mostBytes === 0 ? null : Math.max(0, Math.floor(availableBytes / mostBytes));
}
