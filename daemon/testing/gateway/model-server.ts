import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A model server on a Unix socket, in the place of a replica. */
export interface ModelServer extends AsyncDisposable {
  readonly socketPath: string;
  /** Open connections. */
  readonly connections: ReadonlySet<Socket>;
  /** Closes every connection and the socket, as the end of its process does. */
  stop(): Promise<void>;
}

export type ModelAnswer = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>;

/** One that answers in HTTP. */
export function httpModelServer(answer: ModelAnswer): Promise<ModelServer> {
  return listenOnSocket(createHttpServer((request, response) => void answer(request, response)));
}

/** One that sends any bytes. @param onRequest called with each connection, and what arrives first on it */
export function rawModelServer(onRequest: (socket: Socket, text: string) => void): Promise<ModelServer> {
  return listenOnSocket(
    createServer((socket) => {
      socket.once('data', (chunk) => onRequest(socket, chunk.toString('latin1')));
      socket.on('data', () => {});
    }),
  );
}

async function listenOnSocket(server: Server): Promise<ModelServer> {
  const folder = await mkdtemp(join(tmpdir(), 'model-server-'));
  const socketPath = join(folder, 's');
  const connections = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    connections.add(socket);
    socket.on('error', () => {});
    socket.once('close', () => connections.delete(socket));
  });
  server.listen({ path: socketPath, backlog: 4_096 });
  await once(server, 'listening');
  const stop = async () => {
    for (const socket of connections) socket.destroy();
    if (server.listening) await new Promise((resolve) => server.close(resolve));
    await rm(folder, { recursive: true, force: true });
  };
  return { socketPath, connections, stop, [Symbol.asyncDispose]: stop };
}
