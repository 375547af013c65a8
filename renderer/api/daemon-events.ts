import { addressOf } from '../../daemon/client/addresses.ts';
import type { DaemonEvent } from '../../daemon/contract/events.ts';

/** The state of this page's event stream. */
export type Connection =
  /** The first attempt, before any snapshot. */
  | { readonly phase: 'connecting' }
  | { readonly phase: 'open' }
  /** The tab is hidden. Its stream is closed, since a browser allows six connections per host. */
  | { readonly phase: 'paused' }
  /** Both in ms since 1970. `retryAt` is null during an attempt, `lastSeen` before the first event. */
  | { readonly phase: 'lost'; readonly retryAt: number | null; readonly lastSeen: number | null };

/** Receives the events; the store implements it. */
export interface EventSink {
  readonly apply: (event: DaemonEvent) => void;
  readonly setConnection: (connection: Connection) => void;
}

/** The part of EventSource in use, so that tests need no network. */
export interface EventStream {
  onmessage: ((message: { readonly data: string }) => void) | null;
  onerror: (() => void) | null;
  close(): void;
}

/** The part of `document` that says whether the tab is hidden. */
export type PageVisibility = Pick<Document, 'hidden' | 'addEventListener'>;

const RETRY_DELAYS_MS = [1_000, 2_000, 4_000, 8_000, 10_000];
const SNAPSHOT_TIMEOUT_MS = 10_000;

/** Keeps one event stream open while the tab is visible. Each reconnect starts with a fresh snapshot. */
export class DaemonEvents {
  readonly #open: () => EventStream;
  readonly #page: PageVisibility;
  #sink: EventSink | null = null;
  #stream: EventStream | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #failures = 0;
  #lastSeen: number | null = null;

  constructor(open: () => EventStream = openEventSource, page: PageVisibility = document) {
    this.#open = open;
    this.#page = page;
  }

  start(sink: EventSink): void {
    this.#sink = sink;
    this.#page.addEventListener('visibilitychange', () => (this.#page.hidden ? this.#pause() : this.#connect()));
    if (this.#page.hidden) this.#pause();
    else this.#connect();
  }

  /** Reconnects now instead of at the end of the countdown. */
  retryNow(): void {
    if (this.#page.hidden || this.#stream) return;
    this.#sink?.setConnection({ phase: 'lost', retryAt: null, lastSeen: this.#lastSeen });
    this.#connect();
  }

  #connect(): void {
    this.#disconnect();
    const stream = this.#open();
    this.#stream = stream;
    this.#timer = setTimeout(() => this.#fail(), SNAPSHOT_TIMEOUT_MS);
    stream.onmessage = ({ data }) => this.#receive(data);
    // EventSource would retry by itself, but not after every kind of failure and not visibly.
    stream.onerror = () => this.#fail();
  }

  #receive(data: string): void {
    this.#lastSeen = Date.now();
    const event = parse(data);
    if (!event) return;
    try {
      this.#sink?.apply(event);
    } catch (error) {
      console.warn(`An event of type ${event.type} could not be applied`, error);
      return;
    }
    if (event.type !== 'snapshot') return;
    clearTimeout(this.#timer);
    this.#failures = 0;
    this.#sink?.setConnection({ phase: 'open' });
  }

  #fail(): void {
    this.#disconnect();
    const delay = RETRY_DELAYS_MS[Math.min(this.#failures, RETRY_DELAYS_MS.length - 1)] ?? 0;
    this.#failures += 1;
    this.#timer = setTimeout(() => this.retryNow(), delay);
    this.#sink?.setConnection({ phase: 'lost', retryAt: Date.now() + delay, lastSeen: this.#lastSeen });
  }

  #pause(): void {
    this.#disconnect();
    this.#sink?.setConnection({ phase: 'paused' });
  }

  #disconnect(): void {
    clearTimeout(this.#timer);
    if (!this.#stream) return;
    this.#stream.onmessage = null;
    this.#stream.onerror = null;
    this.#stream.close();
    this.#stream = null;
  }
}

function openEventSource(): EventStream {
  return new EventSource(addressOf('watchEvents').path) as EventStream;
}

/** Returns null for a line that is not an event: a broken line must not end the stream. Unknown types pass. */
function parse(data: string): DaemonEvent | null {
  try {
    const event: unknown = JSON.parse(data);
    if (typeof event === 'object' && event !== null && 'type' in event) return event as DaemonEvent;
  } catch (error) {
    console.warn('An event of the daemon is not JSON', error);
  }
  return null;
}
