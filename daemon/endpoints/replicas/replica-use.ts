import type { Backend } from './backends.ts';
import type { ReadyReplica } from './replica-set.ts';

/** Counts the requests of each replica. */
export class ReplicaUse {
  readonly #requests = new Map<string, number>();

  /**
   * The ready replica with the fewest requests; null: none is ready.
   * @param onRelease called once, with whether the replica has no request left
   */
  take(ready: readonly ReadyReplica[], onRelease: (isFree: boolean) => void): Backend | null {
    const [first, ...others] = ready;
    if (!first) return null;
    const { id, replica } = others.reduce((best, one) => (this.#of(one.id) < this.#of(best.id) ? one : best), first);
    this.#requests.set(id, this.#of(id) + 1);
    let isReleased = false;
    return {
      id,
      address: replica.address,
      healthRoute: replica.healthRoute,
      openedSession: () => {},
      release: () => {
        if (isReleased) return;
        isReleased = true;
        const left = this.#of(id) - 1;
        if (left > 0) this.#requests.set(id, left);
        else this.#requests.delete(id);
        onRelease(left === 0);
      },
    };
  }

  /** Whether one of the replicas has a request. */
  isUsed(ids: readonly string[]): boolean {
    return ids.some((id) => this.#requests.has(id));
  }

  #of(id: string): number {
    return this.#requests.get(id) ?? 0;
  }
}
