import type { DaemonEvent } from '../../daemon/contract/events.ts';
import type { operations } from '../../daemon/contract/operations/operations.ts';
import { PacedQueue } from './paced-queue.ts';
import { SilenceWatch } from './silence-watch.ts';

/** The state of this page's event stream. Times are in ms since 1970; `lastSeen` is null before the first event. */
export type Connection =
  /** The first attempt, or one that takes longer than a moment. */
  | { readonly phase: 'connecting'; readonly lastSeen: number | null }
  | { readonly phase: 'open' }
  /** The tab is hidden. Its stream is closed, since a browser allows six connections per host. */
  | { readonly phase: 'paused' }
  /** The daemon accepts connections and sends nothing: it hangs. */
  | { readonly phase: 'silent'; readonly lastSeen: number | null }
  /** The daemon cannot be reached. `retryAt` is null during an attempt. */
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
/** An attempt that is quicker than this is not shown. */
const QUICK_MS = 1_000;
/** A stream that broke after this time is opened again at once. */
const LASTING_MS = 2_000;
/** Spells of silence before the stream is opened again, in case that the connection broke without a sign. */
const SILENT_SPELLS = 10;

/**
 * Keeps one event stream open while the tab is visible. Each reconnect starts with a fresh snapshot. A daemon that sends
 * nothing for 6 s, not even a heartbeat, is reported as silent until its next message.
 */
export class DaemonEvents {
  readonly #open: () => EventStream;
  readonly #page: PageVisibility;
  readonly #silence = new SilenceWatch(() => this.#onSilence());
  readonly #queue = new PacedQueue<DaemonEvent>((event) => this.#handle(event));
  #sink: EventSink | null = null;
  #stream: EventStream | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #failures = 0;
  #spells = 0;
  #lastSeen: number | null = null;
  #phase: Connection['phase'] = 'connecting';
  /** The daemon has said that it ends the current stream. */
  #isEnding = false;
  /** When the current stream sent its snapshot, in ms of `performance`; null: not yet. */
  #openedAt: number | null = null;

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
    this.#set({ phase: 'lost', retryAt: null, lastSeen: this.#lastSeen });
    this.#connect();
  }

  /** Opens the stream again, so that it belongs to the session that this browser has now. */
  reopen(): void {
    if (!this.#page.hidden) this.#connect();
  }

  #connect(): void {
    this.#disconnect();
    const stream = this.#open();
    this.#stream = stream;
    this.#silence.start();
    this.#timer = setTimeout(() => this.#onSlowAttempt(), QUICK_MS);
    stream.onmessage = ({ data }) => this.#receive(data);
    // EventSource would retry by itself, but not after every kind of failure and not visibly.
    stream.onerror = () => this.#onError();
  }

  /** Until now the page showed the state before the attempt, which may be over. */
  #onSlowAttempt(): void {
    if (this.#phase === 'open' || this.#phase === 'paused')
      this.#set({ phase: 'connecting', lastSeen: this.#lastSeen });
  }

  #receive(data: string): void {
    this.#lastSeen = Date.now();
    this.#silence.heard();
    this.#spells = 0;
    const event = parse(data);
    if (event?.type === 'session.ended') this.#isEnding = true;
    if (this.#openedAt !== null && this.#phase !== 'open') this.#set({ phase: 'open' });
    if (event && event.type !== 'heartbeat') this.#queue.push(event);
  }

  #handle(event: DaemonEvent): void {
    if (!this.#apply(event) || event.type !== 'snapshot') return;
    clearTimeout(this.#timer);
    this.#failures = 0;
    this.#openedAt = performance.now();
    if (this.#phase !== 'open') this.#set({ phase: 'open' });
  }

  /** @returns whether it could be applied */
  #apply(event: DaemonEvent): boolean {
    try {
      this.#sink?.apply(event);
      return true;
    } catch (error) {
      console.warn(`An event of type ${event.type} could not be applied`, error);
      return false;
    }
  }

  #onSilence(): void {
    this.#spells += 1;
    this.#set({ phase: 'silent', lastSeen: this.#lastSeen });
    if (this.#spells % SILENT_SPELLS === 0) this.#connect();
  }

  #onError(): void {
    const lasted = this.#openedAt !== null && performance.now() - this.#openedAt > LASTING_MS;
    // A change of the network breaks a stream, too; a daemon that has ended refuses the next one at once.
    if (lasted || this.#isEnding) this.#connect();
    else this.#fail();
  }

  #fail(): void {
    this.#disconnect();
    const delay = RETRY_DELAYS_MS[Math.min(this.#failures, RETRY_DELAYS_MS.length - 1)] ?? 0;
    this.#failures += 1;
    this.#timer = setTimeout(() => this.retryNow(), delay);
    this.#set({ phase: 'lost', retryAt: Date.now() + delay, lastSeen: this.#lastSeen });
  }

  #pause(): void {
    this.#disconnect();
    this.#set({ phase: 'paused' });
  }

  #disconnect(): void {
    clearTimeout(this.#timer);
    this.#queue.clear(); // the next stream begins with a snapshot
    this.#silence.stop();
    this.#openedAt = null;
    this.#isEnding = false;
    if (!this.#stream) return;
    this.#stream.onmessage = null;
    this.#stream.onerror = null;
    this.#stream.close();
    this.#stream = null;
  }

  #set(connection: Connection): void {
    this.#phase = connection.phase;
    this.#sink?.setConnection(connection);
  }
}

const address: (typeof operations)['watchEvents']['path'] = '/api/events';

function openEventSource(): EventStream {
  return new EventSource(address) as EventStream;
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
