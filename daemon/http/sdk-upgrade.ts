import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import { isGatewayUrl } from './gateway/gateway-target.ts';
import { PING_MS, SdkConnection, type SdkConnectionDeps } from './sdk-connection.ts';
import { type Access, SDK_PATH } from './security/access.ts';
import { foreignReason } from './security/origin-guard.ts';

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
