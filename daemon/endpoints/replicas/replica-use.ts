import { hash } from 'node:crypto';
import type { Balancing } from '../../contract/endpoints/balancing.ts';
import type { Acquiring, Backend } from './backends.ts';
import { chooseReplica } from './choose-replica.ts';
import type { KeptReplica } from './replica-usage.ts';

const NONE: ReadonlySet<string> = new Set();
/** A replica that computes answers and sends nothing for so long, while others do, gets no new request. */
export const STALLED_MS = 10_000;

/** A replica that serves requests. */
export type ReadyReplica = Pick<KeptReplica, 'id' | 'replica' | 'isSilent' | 'slots'>;

/** The use of a replica while it has requests. */
interface Use {
  requests: number;
  /** Of the requests those that take a slot. */
  slotsTaken: number;
  readonly leaving: Set<AbortController>;
  /** Of an answer, or when it began to compute one. */
  lastByteMs: number;
}

/** Chooses the replica of each request, and counts the requests of each replica. */
export class ReplicaUse {
  readonly #random: () => number;
  readonly #elapsedMs: () => number;
  readonly #onMoves: () => void;
  readonly #uses = new Map<string, Use>();
  readonly #sessions = new SessionReplicas();
  /** When the last byte of an answer came from a replica, and from which. */
  #lastByte: { readonly id: string; readonly atMs: number } | null = null;

  /**
   * @param random a number from 0 to 1, without 1
   * @param onMoves called when a stalled replica sends again
   */
  constructor(random: () => number, elapsedMs: () => number, onMoves = () => {}) {
    this.#random = random;
    this.#elapsedMs = elapsedMs;
    this.#onMoves = onMoves;
  }

  /**
   * Gives a ready replica to a request; null: none is ready, or none has a slot free.
   * @param onRelease called once, with whether the replica has no request left
   */
  take(
    ready: readonly ReadyReplica[],
    rule: Balancing,
    { affinity, avoid = NONE, takesSlot = false }: Pick<Acquiring, 'affinity' | 'avoid' | 'takesSlot'>,
    onRelease: (isFree: boolean) => void,
  ): Backend | null {
    const moving = ready.filter(({ id }) => !this.#isStalled(id));
    const open = (moving.length > 0 ? moving : ready).filter((replica) => !takesSlot || this.#hasSlot(replica));
    const candidates = open.map(({ id, replica }) => ({ id, replica, requests: this.requestsOf(id) }));
    const { caller = null, mcpSession = null } = affinity ?? {};
    const sessionReplica = mcpSession === null ? null : this.#sessions.of(mcpSession);
    const choice = { rule, caller, mcpSession, sessionReplica, avoid };
    const chosen = chooseReplica(choice, candidates, this.#random);
    if (!chosen) return null;
    const { id, replica } = chosen;
    const use = this.#countedUse(id);
    const leaving = new AbortController();
    use.requests += 1;
    if (takesSlot && use.slotsTaken === 0) use.lastByteMs = this.#elapsedMs();
    use.slotsTaken += Number(takesSlot);
    use.leaving.add(leaving);
    let isReleased = false;
    return {
      id,
      address: replica.address,
      healthRoute: replica.healthRoute,
      lost: leaving.signal,
      openedSession: (opened) => this.#sessions.opened(opened, id),
      answers: () => {
        const wasStalled = this.#isStalled(id);
        use.lastByteMs = this.#elapsedMs();
        this.#lastByte = { id, atMs: use.lastByteMs };
        if (wasStalled) this.#onMoves();
      },
      release: () => {
        if (isReleased) return;
        isReleased = true;
        use.requests -= 1;
        use.slotsTaken -= Number(takesSlot);
        use.leaving.delete(leaving);
        if (use.requests === 0) this.#uses.delete(id);
        onRelease(use.requests === 0);
      },
    };
  }

  /** Lets the requests of a replica leave it, which it has not begun to answer. */
  giveUp(id: string): void {
    for (const leaving of this.#uses.get(id)?.leaving ?? []) leaving.abort();
  }

  /** The requests that a replica has now. */
  requestsOf(id: string): number {
    return this.#uses.get(id)?.requests ?? 0;
  }

  #countedUse(id: string): Use {
    const known = this.#uses.get(id);
    if (known) return known;
    const use = { requests: 0, slotsTaken: 0, leaving: new Set<AbortController>(), lastByteMs: this.#elapsedMs() };
    this.#uses.set(id, use);
    return use;
  }

  #hasSlot({ id, slots }: ReadyReplica): boolean {
    return slots === null || (this.#uses.get(id)?.slotsTaken ?? 0) < slots;
  }

  /** Whether a replica computes answers and sends nothing while another one does. A stream of events alone may be silent. */
  #isStalled(id: string): boolean {
    const use = this.#uses.get(id);
    const sinceMs = this.#elapsedMs() - STALLED_MS;
    if (!use?.slotsTaken || use.lastByteMs > sinceMs) return false;
    return this.#lastByte !== null && this.#lastByte.id !== id && this.#lastByte.atMs > sinceMs;
  }
}

/** The most sessions that are remembered, the ones used last. */
export const MAX_SESSIONS = 10_000;

/** Remembers which replica opened an MCP session. Keeps a hash of fixed size: ids may be long, and they are secrets. */
export class SessionReplicas {
  /** The ids of replicas by sessions, in the order of their last use. */
  readonly #replicas = new Map<string, string>();

  /** The id of the replica that opened a session; null: unknown. */
  of(mcpSession: string): string | null {
    const key = keyOf(mcpSession);
    const replicaId = this.#replicas.get(key);
    if (replicaId === undefined) return null;
    this.#set(key, replicaId);
    return replicaId;
  }

  opened(mcpSession: string, replicaId: string): void {
    this.#set(keyOf(mcpSession), replicaId);
  }

  #set(key: string, replicaId: string): void {
    this.#replicas.delete(key);
    this.#replicas.set(key, replicaId);
    if (this.#replicas.size <= MAX_SESSIONS) return;
    const [oldest] = this.#replicas.keys();
    if (oldest !== undefined) this.#replicas.delete(oldest);
  }
}

const keyOf = (mcpSession: string) => hash('sha1', mcpSession);
