import type { DaemonEvent } from '../../contract/events.ts';

/** Sends an event to the pages. */
export type Publish = (event: DaemonEvent) => void;

/** Calls its subscribers synchronously, and waits for none of them. */
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

  /** Resolves with the next event. */
  next(): Promise<T> {
    const { promise, resolve } = Promise.withResolvers<T>();
    const end = this.subscribe((event) => {
      end();
      resolve(event);
    });
    return promise;
  }
}
