import type { Balancing } from '../../contract/endpoints/balancing.ts';
import { chooseReplica, isNotEmpty } from '../balancing/choose-replica.ts';
import { SessionReplicas } from '../balancing/session-replicas.ts';
import type { Acquiring, Backend } from './backends.ts';
import type { ReadyReplica } from './replica-set.ts';

const NONE: ReadonlySet<string> = new Set();

/** Chooses the replica of each request, and counts the requests of each replica. */
export class ReplicaUse {
  readonly #random: () => number;
  readonly #requests = new Map<string, number>();
  /** Of the requests under way those that take a slot, by replica. */
  readonly #slotsTaken = new Map<string, number>();
  readonly #sessions = new SessionReplicas();
  /** Of the requests under way, by replica. */
  readonly #leaving = new Map<string, Set<AbortController>>();

  /** @param random a number from 0 to 1, without 1 */
  constructor(random: () => number) {
    this.#random = random;
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
    const open = takesSlot
      ? ready.filter(({ id, slots }) => (this.#slotsTaken.get(id) ?? 0) < (slots ?? Infinity))
      : ready;
    const candidates = open.map(({ id, replica }) => ({ id, replica, requests: this.requestsOf(id) }));
    if (!isNotEmpty(candidates)) return null;
    const { caller = null, mcpSession = null } = affinity ?? {};
    const sessionReplica = mcpSession === null ? null : this.#sessions.of(mcpSession);
    const choice = { rule, caller, mcpSession, sessionReplica, avoid };
    const { id, replica, requests } = chooseReplica(choice, candidates, this.#random);
    this.#requests.set(id, requests + 1);
    if (takesSlot) this.#slotsTaken.set(id, (this.#slotsTaken.get(id) ?? 0) + 1);
    const leaving = new AbortController();
    const all = this.#leaving.get(id) ?? new Set();
    this.#leaving.set(id, all.add(leaving));
    let isReleased = false;
    return {
      id,
      address: replica.address,
      healthRoute: replica.healthRoute,
      lost: leaving.signal,
      openedSession: (opened) => this.#sessions.opened(opened, id),
      release: () => {
        if (isReleased) return;
        isReleased = true;
        const left = this.requestsOf(id) - 1;
        all.delete(leaving);
        if (takesSlot) this.#slotsTaken.set(id, (this.#slotsTaken.get(id) ?? 0) - 1);
        if (left > 0) this.#requests.set(id, left);
        else {
          this.#requests.delete(id);
          this.#leaving.delete(id);
          this.#slotsTaken.delete(id);
        }
        onRelease(left === 0);
      },
    };
  }

  /** Lets the requests of a replica leave it, which it has not begun to answer. */
  giveUp(id: string): void {
    for (const leaving of this.#leaving.get(id) ?? []) leaving.abort();
  }

  /** The requests that a replica has now. */
  requestsOf(id: string): number {
    return this.#requests.get(id) ?? 0;
  }
}
