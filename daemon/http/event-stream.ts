import type { Response } from 'express';
import { endpointId } from '../contract/endpoints/endpoint-id.ts';
import type { DaemonEvent } from '../contract/events.ts';
import type { Clock } from '../shared/clock.ts';
import { TooManyStreams } from './requests/errors.ts';

const MAX_CLIENTS = 50;
const HEARTBEAT_MS = 2_000;
/** An event and not a comment, which the browser's EventSource hides from its page. */
const HEARTBEAT = frameOf({ type: 'heartbeat' });
/** A reader that reads nothing for this long is disconnected. */
const BLOCKED_MS = 30_000;

type OutputEvent = Extract<DaemonEvent, { type: 'app-output.appended' | 'app-output.gap' }>;
type Gap = Extract<DaemonEvent, { type: 'app-output.gap' }>;

interface Reader {
  /** The id of its session, at whose end it is disconnected; null: none. */
  readonly session: string | null;
  /** The types of the events that it is sent; omitted: all, as a page gets them. */
  readonly types?: readonly DaemonEvent['type'][] | undefined;
}

/** One reader of the stream. While it is blocked, only the latest event of each resource waits for it. */
class Client {
  readonly session: string | null;
  /** null: all. */
  readonly #types: ReadonlySet<DaemonEvent['type']> | null;
  readonly #clock: Clock;
  readonly #response: Response;
  readonly #waiting = new Map<string, string>();
  #gap: Gap | null = null;
  #blockedAt: number | null = null;

  constructor(clock: Clock, response: Response, { session, types }: Reader) {
    this.#clock = clock;
    this.#response = response;
    this.session = session;
    this.#types = types === undefined ? null : new Set(types);
    response.on('drain', () => this.#drain());
  }

  /** The number of waiting frames: at most one a resource. */
  get waiting(): number {
    return this.#waiting.size + (this.#gap ? 1 : 0);
  }

  /** Whether it follows everything, as a page does. */
  get isPage(): boolean {
    return this.#types === null;
  }

  wants(type: DaemonEvent['type']): boolean {
    return this.#types?.has(type) ?? true;
  }

  /** Bytes written to the connection and not yet sent. */
  get queuedBytes(): number {
    return this.#response.writableLength;
  }

  get isStuck(): boolean {
    return this.#blockedAt !== null && this.#clock.elapsedMs() - this.#blockedAt > BLOCKED_MS;
  }

  send(event: DaemonEvent, frame: string): void {
    if (this.#blockedAt === null) this.#write(frame);
    else if (event.type === 'app-output.appended' || event.type === 'app-output.gap') this.#widenGap(event);
    else {
      const key = resourceOf(event);
      this.#waiting.delete(key); // moves the key to the end: the last change is sent last
      this.#waiting.set(key, frame);
    }
  }

  heartbeat(): void {
    if (this.#blockedAt === null) this.#write(HEARTBEAT);
  }

  end(): void {
    this.#response.end();
    this.#response.socket?.destroySoon();
  }

  /** Closes the connection of a reader that reads nothing: its unsent data would delay `end` for ever. */
  cut(): void {
    this.#response.destroy();
  }

  #write(frame: string): void {
    if (!this.#response.write(frame)) this.#blockedAt ??= this.#clock.elapsedMs();
  }

  #widenGap(event: OutputEvent): void {
    const from = event.type === 'app-output.gap' ? event.from : (event.lines[0]?.number ?? 0);
    const to = event.type === 'app-output.gap' ? event.to : (event.lines.at(-1)?.number ?? 0);
    const { runId, appName } = event;
    this.#gap = {
      type: 'app-output.gap',
      runId,
      appName,
      from: this.#gap?.runId === runId ? this.#gap.from : from,
      to,
    };
  }

  #drain(): void {
    this.#blockedAt = null;
    for (const [key, frame] of this.#waiting) {
      if (this.#blockedAt !== null) return;
      this.#waiting.delete(key);
      this.#write(frame);
    }
    if (this.#gap && this.#blockedAt === null) {
      const gap = this.#gap;
      this.#gap = null;
      this.#write(frameOf(gap));
    }
  }
}

/** Sends events to every connected reader, with bounded memory for each slow one. An event that none wants costs nothing. */
export class EventStream {
  readonly #clients = new Set<Client>();
  readonly #clock: Clock;
  readonly #snapshot: () => DaemonEvent;
  readonly #onHeartbeat: (sessions: ReadonlySet<string>) => void;
  #endHeartbeats = (): void => {};

  /**
   * @param snapshot returns the current state, sent first to each client
   * @param onHeartbeat called every 2 s with the sessions of the clients
   */
  constructor(
    clock: Clock,
    snapshot: () => DaemonEvent,
    onHeartbeat: (sessions: ReadonlySet<string>) => void = () => {},
  ) {
    this.#clock = clock;
    this.#snapshot = snapshot;
    this.#onHeartbeat = onHeartbeat;
  }

  /** Begins the heartbeats. */
  open(): void {
    this.#endHeartbeats = this.#clock.every(HEARTBEAT_MS, () => this.#heartbeat());
  }

  get clients(): ReadonlySet<Pick<Client, 'waiting' | 'queuedBytes'>> {
    return this.#clients;
  }

  /** Whether somebody looks at the dashboard: a reader that wants only some types is a program. */
  get hasPages(): boolean {
    return [...this.#clients].some(({ isPage }) => isPage);
  }

  publish(event: DaemonEvent): void {
    let frame: string | undefined;
    for (const client of this.#clients) {
      if (!client.wants(event.type)) continue;
      frame ??= frameOf(event); // once for all readers
      client.send(event, frame);
    }
  }

  /**
   * Answers `GET /api/events` for as long as the client stays. The snapshot, heartbeats and the end of its session come always.
   * @throws TooManyStreams
   */
  attach(response: Response, reader: Reader): void {
    if (this.#clients.size >= MAX_CLIENTS) throw new TooManyStreams(MAX_CLIENTS);
    response.writeHead(200, {
      'Content-Type': 'text/event-stream',
      'Cache-Control': 'no-store',
      'X-Accel-Buffering': 'no',
    });
    if (response.req.method === 'HEAD') return void response.end();
    response.socket?.setNoDelay(true);
    const client = new Client(this.#clock, response, reader);
    const snapshot = this.#snapshot();
    client.send(snapshot, frameOf(snapshot));
    this.#clients.add(client);
    response.on('close', () => this.#clients.delete(client));
    response.on('error', () => this.#clients.delete(client));
  }

  /** Disconnects the clients of a session that has ended, after an event that says so. */
  endSession(session: string): void {
    const ended: DaemonEvent = { type: 'session.ended' };
    for (const client of this.#clients) {
      if (client.session !== session) continue;
      this.#clients.delete(client);
      client.send(ended, frameOf(ended));
      client.end();
    }
  }

  close(): void {
    this.#endHeartbeats();
    for (const client of this.#clients) client.end();
    this.#clients.clear();
  }

  #heartbeat(): void {
    for (const client of this.#clients) {
      if (client.isStuck) client.cut();
      else client.heartbeat();
    }
    this.#onHeartbeat(new Set([...this.#clients].map(({ session }) => session).filter((each) => each !== null)));
  }
}

/** Names the resource that an event is about. */
function resourceOf(event: DaemonEvent): string {
  if (event.type === 'job.changed') return `job ${event.job.id}`;
  return event.type === 'endpoint-log.grew' ? `log ${endpointId(event)}` : event.type;
}

function frameOf(event: DaemonEvent): string {
  return `data: ${JSON.stringify(event)}\n\n`;
}
