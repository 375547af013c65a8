import { nextRolloutStep } from '../scaling/rollout.ts';
import type { KeptReplica } from './replica/replica-keeper.ts';
import type { ReadyReplica, ReplicaSet } from './replica-set.ts';

/** The longest wait for the requests of a replica that an update replaces: then they are sent to another one. */
const UPDATE_DRAIN_MS = 30_000;
/** The longest wait for the requests of a replica that the load no longer needs. */
const SCALE_DOWN_DRAIN_MS = 10 * 60_000;

/** A set of replicas with the settings that it was started for. */
export interface Running {
  readonly key: string;
  readonly set: ReplicaSet;
  /** Whether it was begun to end a sleep. */
  readonly wakes: boolean;
}

/** The sets of replicas of one endpoint: one, and during an update the one that replaces it. */
export class ServedSets {
  #current: Running | null = null;
  #next: Running | null = null;
  /** Those that end, with the promises of their ends. */
  readonly #ending = new Map<ReplicaSet, Promise<void>>();

  /** The one that serves or will serve. */
  get current(): Running | null {
    return this.#current;
  }

  /** The one of a changed endpoint, which replaces the current one replica by replica. */
  get next(): Running | null {
    return this.#next;
  }

  /** The replicas that serve requests. */
  get ready(): readonly ReadyReplica[] {
    return [this.#current, this.#next].flatMap((running) => running?.set.ready ?? []);
  }

  /** All replicas, also those that are about to end. */
  get replicas(): readonly KeptReplica[] {
    const sets = [this.#current?.set, this.#next?.set, ...this.#ending.keys()];
    return sets.flatMap((set) => set?.replicas ?? []);
  }

  /** Settles once the sets that ended so far are gone. */
  get ended(): Promise<unknown> {
    return Promise.all(this.#ending.values());
  }

  /** Takes a set for the current one, which there is none of. */
  begin(running: Running): void {
    this.#current = running;
  }

  /** Takes a set for the one that replaces the current one; see `roll`. */
  beginNext(running: Running): void {
    this.#next = running;
  }

  /** Changes the number of replicas of the current set, where no update is under way. */
  scaleTo(count: number): void {
    if (!this.#next) this.#current?.set.scaleTo(count, SCALE_DOWN_DRAIN_MS);
  }

  /** Takes an update as far as it goes now. @returns whether the new set serves alone from now on */
  roll(target: number): boolean {
    const [current, next] = [this.#current, this.#next];
    if (!current || !next) return false;
    const { set: old } = current;
    const situation = { target, old, next: { size: next.set.size, ready: next.set.ready.length } };
    const step = nextRolloutStep(situation);
    if (step.isDone) {
      this.replaceCurrent(UPDATE_DRAIN_MS);
      next.set.scaleTo(target, UPDATE_DRAIN_MS);
      return true;
    }
    old.scaleTo(step.old, UPDATE_DRAIN_MS);
    next.set.scaleTo(step.next, UPDATE_DRAIN_MS);
    return false;
  }

  /** Ends the current set; the next one takes its place. @param drainMs the longest wait for its requests */
  replaceCurrent(drainMs = 0): void {
    if (this.#current) this.#end(this.#current.set, drainMs);
    this.#current = this.#next;
    this.#next = null;
  }

  /** Ends the next set: the current one goes on. Its requests may end. */
  dropNext(): void {
    if (this.#next) this.#end(this.#next.set, UPDATE_DRAIN_MS);
    this.#next = null;
  }

  /** Ends the sets that serve or start; those that end already keep their time. @param drainMs the longest wait for their requests */
  endCurrent(drainMs = 0): void {
    for (const running of [this.#current, this.#next]) if (running) this.#end(running.set, drainMs);
    this.#current = null;
    this.#next = null;
  }

  /** Ends all sets. @param drainMs the longest wait for their requests, also for those that end already */
  endAll(drainMs: number): void {
    this.endCurrent(drainMs);
    for (const set of this.#ending.keys()) void set.end(drainMs);
  }

  #end(set: ReplicaSet, drainMs: number): void {
    this.#ending.set(
      set,
      set.end(drainMs).finally(() => this.#ending.delete(set)),
    );
  }
}
