import type { Pool } from 'undici';
import type { Backend } from '../../endpoints/replicas/backends.ts';
import { connectionTo, originOf } from '../../endpoints/runtime/replica-connection.ts';
import { lazy } from '../../shared/async/lazy.ts';
import type { Clock } from '../../shared/clock.ts';

/** The connections of a replica without requests are kept this long. */
const UNUSED_MS = 30_000;
/** The most bytes of one answer's head. */
const MAX_HEAD_BYTES = 32 * 1024;

interface UsedPool {
  readonly pool: Pool;
  users: number;
  /** Cancels its close, which is due once it has been unused for a while. */
  cancelClose: () => void;
}

/** Connections to replicas, kept alive between requests. The HTTP client is loaded on first use. */
export class UpstreamPools {
  readonly #clock: Clock;
  readonly #connectMs: number;
  readonly #load = lazy(() => import('undici'));
  readonly #pools = new Map<string, UsedPool>();
  #isClosed = false;

  /** @param connectMs the time limit for a connection */
  constructor(clock: Clock, connectMs: number) {
    this.#clock = clock;
    this.#connectMs = connectMs;
  }

  /** Runs work with the pool of a replica, which stays open meanwhile. */
  async with<T>(backend: Pick<Backend, 'id' | 'address'>, work: (pool: Pool) => Promise<T>): Promise<T> {
    const { Pool } = await this.#load();
    const used = this.#poolOf(backend, Pool);
    used.users += 1;
    used.cancelClose();
    try {
      return await work(used.pool);
    } finally {
      used.users -= 1;
      if (used.users === 0) this.#closeWhenUnused(backend.id, used);
    }
  }

  /** Ends every connection at once. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const pools = [...this.#pools.values()];
    this.#pools.clear();
    for (const { cancelClose } of pools) cancelClose();
    await Promise.all(pools.map(({ pool }) => pool.destroy()));
  }

  #poolOf({ id, address }: Pick<Backend, 'id' | 'address'>, PoolClass: typeof Pool): UsedPool {
    const known = this.#pools.get(id);
    if (known) return known;
    const pool = new PoolClass(originOf(address), {
      ...connectionTo(address),
      connectTimeout: this.#connectMs,
      maxHeaderSize: MAX_HEAD_BYTES,
      allowH2: false,
      pipelining: 1,
      // The gateway has its own deadlines: undici's start again with every interim answer.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    const used: UsedPool = { pool, users: 0, cancelClose: () => {} };
    this.#pools.set(id, used);
    return used;
  }

  #closeWhenUnused(id: string, used: UsedPool): void {
    const end = () => {
      this.#pools.delete(id);
      used.pool.destroy().catch(() => {}); // it has no requests
    };
    if (this.#isClosed) end();
    else used.cancelClose = this.#clock.after(UNUSED_MS, end);
  }
}
