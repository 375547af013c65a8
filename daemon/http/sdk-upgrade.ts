import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import { type AdmitProgram, SdkSession, type SdkSessionDeps } from '../robot/sdk-session.ts';
import type { Clock } from '../shared/clock.ts';
import type { Logger } from '../shared/logger.ts';
import { isGatewayUrl } from './requests/operation-paths.ts';
import { type Access, SDK_PATH } from './security/access.ts';
import { foreignReason } from './security/origin-guard.ts';
import type { RequestSources } from './security/request-sources.ts';

const MAX_PROGRAMS = 16;
/** The samples of a move in one message, each number as long as it can be, with room for spaces. */
const MAX_MESSAGE_BYTES = 256 * 1024;

export interface SdkUpgradeDeps extends SdkConnectionDeps {
  readonly hosts: () => ReadonlySet<string>;
  readonly access: Access;
}

/** Serves the socket for programs at `/ws/sdk`, guarded like every route. @returns a function that closes all sockets */
export function sdkUpgrade(server: Server, deps: SdkUpgradeDeps): () => void {
  const upgraded = new Set<Duplex>(); // the server does not close upgraded connections, but waits for them
  const connections = new Set<SdkConnection>(); // oldest first
  const sockets = new WebSocketServer({ noServer: true, maxPayload: MAX_MESSAGE_BYTES, perMessageDeflate: false });
  server.on('upgrade', (request, socket, head) => {
    upgraded.add(socket);
    socket.on('close', () => upgraded.delete(socket));
    socket.on('error', () => {});
    if (isGatewayUrl(request.url ?? '')) {
      const message = 'Endpoints answer plain HTTP requests: an upgrade, such as WebSocket, is not forwarded.';
      reply(socket, 400, { message, type: 'invalid_request_error', param: null, code: 'upgrade_refused' });
      return;
    }
    if (request.url?.split('?')[0] !== SDK_PATH) {
      // In development Vite listens too, and handles its own upgrades.
      if (server.listenerCount('upgrade') === 1) reply(socket, 404, 'No socket is served here.');
      return;
    }
    const open = async () => {
      const refusal = (await refusalOf(request, deps)) ?? makeRoom(connections);
      if (refusal) return reply(socket, ...refusal);
      sockets.handleUpgrade(request, socket, head, (program) => {
        const connection = new SdkConnection(program, request, deps);
        connections.add(connection);
        program.on('close', () => connections.delete(connection));
      });
    };
    open().catch((error: unknown) => {
      deps.log.error('sdk: a program could not be connected', error);
      socket.destroy();
    });
  });
  const endPings = deps.clock.every(PING_MS, () => {
    for (const connection of connections) connection.ping();
  });
  return () => {
    endPings();
    for (const socket of upgraded) socket.destroy();
    sockets.close();
  };
}

type Refusal = [status: number, error: string];

async function refusalOf(request: IncomingMessage, { hosts, access }: SdkUpgradeDeps): Promise<Refusal | null> {
  const foreign = foreignReason({ method: 'GET', path: SDK_PATH, headers: request.headers }, hosts());
  if (foreign) return [403, foreign];
  const refusal = await access.refusal(request, SDK_PATH);
  return refusal && [401, refusal.message];
}

/** At the limit, ends the oldest connection without a hello. @returns a refusal if there is none */
function makeRoom(connections: Set<SdkConnection>): Refusal | null {
  if (connections.size < MAX_PROGRAMS) return null;
  const oldest = [...connections].find(({ isAdmitted }) => !isAdmitted);
  if (!oldest) return [503, `${MAX_PROGRAMS} programs are already connected, the maximum.`];
  connections.delete(oldest);
  oldest.end('A newer program took this place: no hello had come.');
  return null;
}

/** @param error a sentence, or the shape of the gateway's errors */
function reply(socket: Duplex, status: number, error: string | object): void {
  const body = JSON.stringify({ error });
  socket.end(
    `HTTP/1.1 ${status} Refused\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
    () => socket.destroy(), // a peer could keep its side of the connection open for ever
  );
}

/** A program with more unread bytes receives no state messages. */
const CONGESTED_BYTES = 32 * 1024;
/** A program with more unread bytes is disconnected: replies cannot be skipped. */
const MAX_UNREAD_BYTES = 1024 * 1024;
/** The time between pings. */
const PING_MS = 500;
/** After this many missed pings, at most 2 s, a program counts as silent and loses control of the robot. */
const SILENT_AFTER_PINGS = 3;
/** After this many missed pings, 20 s, it is disconnected: a program that loads large libraries is silent for seconds. */
const GONE_AFTER_PINGS = 40;
/** A program says hello at once; a socket without an accepted hello is disconnected after this time. */
const HELLO_MS = 5_000;

interface SdkConnectionDeps extends Pick<SdkSessionDeps, 'robot' | 'volume' | 'daemonVersion'> {
  readonly admit: AdmitProgram;
  readonly sources: Pick<RequestSources, 'isFromHere'>;
  readonly clock: Clock;
  readonly log: Logger;
}

/** The socket of one program, and whether it still answers. */
class SdkConnection {
  readonly #program: WebSocket;
  readonly #session: SdkSession;
  /** Whether its hello was accepted. */
  isAdmitted = false;
  #missedPings = 0;

  constructor(program: WebSocket, request: IncomingMessage, deps: SdkConnectionDeps) {
    this.#program = program;
    this.#session = this.#startSession(!deps.sources.isFromHere(request), deps);
    const cancel = deps.clock.after(HELLO_MS, () => {
      if (!this.isAdmitted) this.end('No hello came in time.');
    });
    program.on('pong', () => this.#answered());
    program.on('message', (data, isBinary) => {
      this.#answered(); // a program that was busy may send before it answers the pings
      this.#session.receive(isBinary ? '' : (data as Buffer).toString('utf8')).catch((error: unknown) => {
        deps.log.error('sdk: a message broke the session', error);
        program.terminate();
      });
    });
    program.on('error', (error) => deps.log.debug(`sdk: ${error.message}`));
    program.on('close', () => {
      cancel();
      this.#session.closed();
    });
  }

  /** Asks for a sign of life; ends the connection after 40 that did not come. */
  ping(): void {
    if (this.#missedPings >= GONE_AFTER_PINGS) this.#program.terminate();
    if (this.#missedPings === SILENT_AFTER_PINGS) this.#session.silent(true);
    this.#missedPings += 1;
    this.#program.ping();
  }

  /** Ends the connection without waiting for the other side. */
  end(reason: string): void {
    this.#program.close(1008, reason);
    this.#program.terminate();
  }

  #answered(): void {
    if (this.#missedPings > SILENT_AFTER_PINGS) this.#session.silent(false);
    this.#missedPings = 0;
  }

  #startSession(remote: boolean, deps: SdkConnectionDeps): SdkSession {
    const program = this.#program;
    return new SdkSession({
      ...deps,
      admit: (identity) => {
        const pass = deps.admit({ ...identity, remote });
        this.isAdmitted = true;
        return pass;
      },
      send: (message) => {
        if (program.readyState !== program.OPEN) return;
        if (program.bufferedAmount > MAX_UNREAD_BYTES) return program.terminate();
        program.send(JSON.stringify(message));
      },
      congested: () => program.bufferedAmount > CONGESTED_BYTES,
      close: () => program.close(),
    });
  }
}
