import type { FollowedEvent } from '../tray/daemon-state.ts';

/** The events of a daemon, as a test sends them. */
export class FakeEvents {
  /** How often they were asked for. */
  opened = 0;
  #waiting: FollowedEvent[] = [];
  #failure: Error | null = null;
  #wake = (): void => {};

  send(event: FollowedEvent): void {
    this.#waiting.push(event);
    this.#wake();
  }
  /** Ends them with an error, until they are asked for again. */
  fail(error: Error): void {
    this.#failure = error;
    this.#wake();
  }

  readonly open = (signal: AbortSignal): AsyncIterable<FollowedEvent> => {
    this.opened += 1;
    this.#failure = null;
    return this.#read(signal);
  };

  async *#read(signal: AbortSignal): AsyncGenerator<FollowedEvent> {
    signal.addEventListener('abort', () => this.#wake());
    for (;;) {
      signal.throwIfAborted();
      if (this.#failure) throw this.#failure;
      const event = this.#waiting.shift();
      if (event) yield event;
      else {
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
    }
  }
}
