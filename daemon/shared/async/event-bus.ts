import type { DaemonEvent } from '../../contract/events.ts';

/** Tells pages what changed. */
export type Publish = (event: DaemonEvent) => void;

/** Tells its subscribers what happened, in the same turn of the event loop. Nothing waits for what they do. */
export class EventBus<T = DaemonEvent> {
  readonly #subscribers = new Set<(event: T) => void>();

  readonly publish = (event: T): void => {
    for (const subscriber of this.#subscribers) subscriber(event);
  };

  /** @returns a function that ends the subscription */
  readonly subscribe = (subscriber: (event: T) => void): (() => void) => {
    this.#subscribers.add(subscriber);
    return () => void this.#subscribers.delete(subscriber);
  };

  /** The next event. */
  next(): Promise<T> {
    const { promise, resolve } = Promise.withResolvers<T>();
    const end = this.subscribe((event) => {
      end();
      resolve(event);
    });
    return promise;
  }
}
