import { once } from 'node:events';
import { type ClientRequest, get, type IncomingMessage } from 'node:http';
import type { DaemonEvent } from '../../daemon/contract/events.ts';
import { monotonicMs } from './clock.ts';
import { undoable } from './undo.ts';

/** An event, and when its last bytes arrived. */
export interface Arrival<Event = DaemonEvent> {
  readonly event: Event;
  readonly atMs: number;
}

const WITHIN_MS = 30_000;

/** One client of `/api/events`. */
export class EventReader implements AsyncDisposable {
  readonly #request: ClientRequest;
  readonly #listeners = new Set<(arrival: Arrival) => void>();
  readonly #undo: AsyncDisposable;
  #text = '';

  /** Settles when the stream is there; the snapshot comes to no listener. */
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
    this.#undo = undoable(async () => void this.#request.destroy());
    request.on('error', () => {}); // it is cut off at the end
    response.on('error', () => {});
    response.setEncoding('utf8');
    response.on('data', (chunk: string) => {
      const atMs = monotonicMs();
      // Not at once: other clients of this process have their bytes already, and are to read their clock first.
      setImmediate(() => this.#take(chunk, atMs));
    });
  }

  /** @returns a function that ends it */
  listen(listener: (arrival: Arrival) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** The first event from now on that matches. @throws Error naming `what` when there is none for 30 s */
  next(match: (event: DaemonEvent) => boolean, what: string): Promise<Arrival> {
    const { promise, resolve, reject } = Promise.withResolvers<Arrival>();
    const end = this.listen((arrival) => {
      if (match(arrival.event)) resolve(arrival);
    });
    const late = setTimeout(() => reject(new Error(`The daemon told nothing of ${what} within 30 s.`)), WITHIN_MS);
    return promise.finally(() => {
      end();
      clearTimeout(late);
    });
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#undo[Symbol.asyncDispose]() as Promise<void>;
  }

  #take(chunk: string, atMs: number): void {
    const frames = (this.#text + chunk).split('\n\n');
    this.#text = frames.pop() ?? '';
    for (const frame of frames) {
      if (!frame.startsWith('data: ')) continue; // a sign of life
      const event = JSON.parse(frame.slice('data: '.length)) as DaemonEvent;
      for (const listener of [...this.#listeners]) listener({ event, atMs });
    }
  }
}
