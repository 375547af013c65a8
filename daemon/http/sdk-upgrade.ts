import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import type { SdkReply } from '../contract/robot/sdk.ts';
import { type AdmitProgram, SdkSession, type SdkSessionDeps } from '../robot/sdk-session.ts';
import type { Logger } from '../shared/logger.ts';
import { isGatewayUrl } from './gateway/gateway-target.ts';
import { type Access, isSameMachine } from './security/access.ts';
import { foreignReason } from './security/origin-guard.ts';

export const SDK_PATH = '/ws/sdk';

const MAX_PROGRAMS = 16;
const MAX_MESSAGE_BYTES = 64 * 1024;
/** A program with more unread bytes receives no state messages. */
const CONGESTED_BYTES = 32 * 1024;
/** A program with more unread bytes is disconnected: replies cannot be skipped. */
const MAX_UNREAD_BYTES = 1024 * 1024;
const PING_MS = 500;
/** After this many missed pings, at most 2 s, a program counts as silent and loses control of the robot. */
const SILENT_AFTER_PINGS = 3;
/** After this many missed pings, 20 s, it is disconnected: a program that loads large libraries is silent for seconds. */
const GONE_AFTER_PINGS = 40;

export interface SdkUpgradeDeps extends Pick<SdkSessionDeps, 'robot' | 'daemonVersion'> {
  readonly admit: AdmitProgram;
  readonly hosts: () => ReadonlySet<string>;
  readonly access: Access;
  readonly log: Logger;
}

/** Serves the socket for programs at `/ws/sdk`, guarded like every route. @returns a function that closes all sockets */
export function sdkUpgrade(server: Server, deps: SdkUpgradeDeps): () => void {
  const upgraded = new Set<Duplex>(); // the server does not close upgraded connections, but waits for them
  const connections = new Set<{ program: WebSocket; session: SdkSession }>();
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
      const refusal = await refusalOf(request, () => sockets.clients.size, deps);
      if (refusal) return reply(socket, ...refusal);
      sockets.handleUpgrade(request, socket, head, (program) => {
        const connection = { program, session: startSession(program, request, deps) };
        connections.add(connection);
        program.on('close', () => connections.delete(connection));
      });
    };
    open().catch((error: unknown) => {
      deps.log.error('sdk: a program could not be connected', error);
      socket.destroy();
    });
  });
  const pings = setInterval(() => {
    for (const { program, session } of connections) pingOrEnd(program, session);
  }, PING_MS);
  pings.unref();
  return () => {
    clearInterval(pings);
    for (const socket of upgraded) socket.destroy();
    sockets.close();
  };
}

async function refusalOf(
  request: IncomingMessage,
  programs: () => number,
  { hosts, access }: SdkUpgradeDeps,
): Promise<[number, string] | null> {
  const foreign = foreignReason({ method: 'GET', path: SDK_PATH, headers: request.headers }, hosts());
  if (foreign) return [403, foreign];
  if (!(await access.mayEnter(request))) return [401, 'From another machine this daemon needs its access token.'];
  if (programs() >= MAX_PROGRAMS) return [503, `${MAX_PROGRAMS} programs are already connected, the maximum.`];
  return null;
}

const missedPings = new WeakMap<WebSocket, number>();

function pingOrEnd(program: WebSocket, session: SdkSession): void {
  const missed = missedPings.get(program) ?? 0;
  if (missed >= GONE_AFTER_PINGS) program.terminate();
  if (missed === SILENT_AFTER_PINGS) session.silent(true);
  missedPings.set(program, missed + 1);
  program.ping();
}

function startSession(program: WebSocket, request: IncomingMessage, deps: SdkUpgradeDeps): SdkSession {
  const { robot, admit, daemonVersion, log } = deps;
  const remote = !isSameMachine(request.socket);
  const session = new SdkSession({
    robot,
    admit: (program) => admit({ ...program, remote }),
    daemonVersion,
    send: (message: SdkReply) => {
      if (program.readyState !== program.OPEN) return;
      if (program.bufferedAmount > MAX_UNREAD_BYTES) return program.terminate();
      program.send(JSON.stringify(message));
    },
    congested: () => program.bufferedAmount > CONGESTED_BYTES,
    close: () => program.close(),
  });
  program.on('pong', () => {
    if ((missedPings.get(program) ?? 0) > SILENT_AFTER_PINGS) session.silent(false);
    missedPings.delete(program);
  });
  program.on('message', (data, isBinary) => {
    session.receive(isBinary ? '' : (data as Buffer).toString('utf8')).catch((error: unknown) => {
      log.error('sdk: a message broke the session', error);
      program.terminate();
    });
  });
  program.on('close', () => session.closed());
  program.on('error', (error) => log.debug(`sdk: ${error.message}`));
  return session;
}

/** @param error a sentence, or the shape of the gateway's errors */
function reply(socket: Duplex, status: number, error: string | object): void {
  const body = JSON.stringify({ error });
  socket.end(
    `HTTP/1.1 ${status} Refused\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
    () => socket.destroy(), // a peer could keep its side of the connection open for ever
  );
}
