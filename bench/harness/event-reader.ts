import { once } from 'node:events';
import { type ClientRequest, get, type IncomingMessage } from 'node:http';
import type { DaemonEvent } from '../../daemon/contract/events.ts';
import { registerCleanup } from './cleanup.ts';
import { monotonicMs } from './clock.ts';

/** An event and the time at which its last bytes arrived. */
export interface Arrival<Event = DaemonEvent> {
  readonly event: Event;
  readonly atMs: number;
}

const WITHIN_MS = 30_000;

/** One client of `/api/events`. */
export class EventReader implements AsyncDisposable {
  readonly #request: ClientRequest;
  readonly #listeners = new Set<(arrival: Arrival) => void>();
  readonly #cleanup: AsyncDisposable;
  #text = '';

  /** Settles after the snapshot, which no listener receives. */
  static async open(daemonUrl: string): Promise<EventReader> {
    const request = get(`${daemonUrl}/api/events`, { agent: false });
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    if (response.statusCode !== 200) throw new Error(`/api/events answered ${response.statusCode}.`);
    const reader = new EventReader(request, response);
    await reader.next((event) => event.type === 'snapshot', 'the snapshot');
    return reader;
  }

  private constructor(request: ClientRequest, response: IncomingMessage) {
    this.#request = request;
    this.#cleanup = registerCleanup(async () => void this.#request.destroy());
    request.on('error', () => {}); // the cleanup destroys the request
    response.on('error', () => {});
    response.setEncoding('utf8');
    response.on('data', (chunk: string) => {
      const atMs = monotonicMs();
      // Later, so that other clients of this process, whose bytes have arrived too, read the clock first.
      setImmediate(() => this.#take(chunk, atMs));
    });
  }

  /** @returns a function that removes the listener */
  listen(listener: (arrival: Arrival) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Waits for an event that matches. @throws Error naming `what` after 30 s */
  next(match: (event: DaemonEvent) => boolean, what: string): Promise<Arrival> {
    const { promise, resolve, reject } = Promise.withResolvers<Arrival>();
    const end = this.listen((arrival) => {
      if (match(arrival.event)) resolve(arrival);
    });
    const late = setTimeout(() => reject(new Error(`The daemon did not report ${what} within 30 s.`)), WITHIN_MS);
    return promise.finally(() => {
      end();
      clearTimeout(late);
    });
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#cleanup[Symbol.asyncDispose]() as Promise<void>;
  }

  #take(chunk: string, atMs: number): void {
    const frames = (this.#text + chunk).split('\n\n');
    this.#text = frames.pop() ?? '';
    for (const frame of frames) {
      if (!frame.startsWith('data: ')) continue; // a heartbeat
      const event = JSON.parse(frame.slice('data: '.length)) as DaemonEvent;
      for (const listener of [...this.#listeners]) listener({ event, atMs });
    }
  }
}
