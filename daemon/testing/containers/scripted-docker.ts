import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** A server on a socket that speaks a few routes of Docker's interface as a test says. */
export interface ScriptedDocker extends AsyncDisposable {
  readonly socketPath: string;
  /** The requests so far: method and path without the query. */
  readonly asked: string[];
  /** The answers, by method and the beginning of the path. */
  readonly answers: Map<string, Answer>;
  /** Accepts a request, and never answers it. */
  hang(start: string): { readonly asked: Promise<void>; readonly closed: Promise<void> };
  /** Listens; already done at first. */
  listen(): Promise<void>;
  /** Ends with all its connections. */
  end(): Promise<void>;
}

const headers = { server: 'Docker/27.3.1 (linux)', 'api-version': '1.47' };
const info = { MemoryLimit: true, CpuCfsQuota: true, SecurityOptions: [], Runtimes: {} };

export async function startScriptedDocker(): Promise<ScriptedDocker> {
  const folder = await mkdtemp(join(tmpdir(), 'robot-desktop-docker-'));
  const socketPath = join(folder, 'docker.sock');
  const asked: string[] = [];
  const answers = new Map<string, Answer>([
    ['GET /_ping', (_, response) => response.writeHead(200, headers).end('OK')],
    ['GET /info', (_, response) => response.end(JSON.stringify(info))],
  ]);
  const hang = (start: string) => {
    const [asked, closed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    answers.set(start, ({ socket }) => {
      asked.resolve();
      socket.once('close', () => closed.resolve());
    });
    return { asked: asked.promise, closed: closed.promise };
  };
  let server = createServer();
  const listen = async () => {
    server = createServer((request, response) => {
      const path = `${request.method} ${request.url?.split('?')[0]}`;
      asked.push(path);
      const [, answer] = [...answers].find(([start]) => path.startsWith(start)) ?? [];
      if (answer) answer(request, response);
      else response.writeHead(404).end(JSON.stringify({ message: 'no such thing' }));
    });
    await new Promise<void>((resolve) => server.listen(socketPath, resolve));
  };
  const end = async () => {
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeAllConnections();
    await closed;
  };
  await listen();
  return {
    ...{ socketPath, asked, answers, hang, listen, end },
    [Symbol.asyncDispose]: async () => {
      if (server.listening) await end();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
