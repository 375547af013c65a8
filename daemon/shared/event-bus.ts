import type { DaemonEvent } from '../contract/events.ts';

export type Publish = (event: DaemonEvent) => void;

/** Tells pages what changed. Nothing in the daemon depends on an event being heard. */
export class EventBus {
  readonly #listeners = new Set<Publish>();

  readonly publish: Publish = (event) => {
    for (const listener of this.#listeners) listener(event);
  };

  /** @returns a function that ends the subscription */
  subscribe(listener: Publish): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }
}
