import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { deflateSync } from 'node:zlib';
import { execa } from 'execa';
import { gitEnvironment } from '../fake-hub/repository/git.ts';

/**
 * The fault of a server of git's smart HTTP:
 * - `endless-refs`: advertises branches without end, as fast as they are read; `slow-refs`: so slowly that no
 *   connection stands still
 * - `no-answer`, `half-refs`, `no-pack`, `half-pack`: is silent before the advertisement, in it, before the pack, in it
 * - `endless-pack`: sends a pack without end
 */
export type Misdeed =
  | 'endless-refs'
  | 'slow-refs'
  | 'no-answer'
  | 'half-refs'
  | 'no-pack'
  | 'half-pack'
  | 'endless-pack'
  | 'none';

export interface HostileGitServer extends AsyncDisposable {
  /** The address of a repository of the folder, served with a misdeed. */
  address(misdeed: Misdeed, repository: string): string;
}

/** A line of git's protocol. */
const packet = (text: string) => `${(Buffer.byteLength(text) + 4).toString(16).padStart(4, '0')}${text}`;
const MANY_REFS = 20_000;

/** Serves the repositories of a folder by `git http-backend`, over protocol 0, with a misdeed that the address names. */
export async function startHostileGitServer(root: string): Promise<HostileGitServer> {
  const server = createServer((request, response) => {
    const [, misdeed = '', path = ''] = /^\/([^/]+)(\/[^?]*)/.exec(request.url ?? '') ?? [];
    const serve = path.endsWith('/info/refs') ? refs : pack;
    serve(misdeed as Misdeed, path, request, response).catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;

  async function refs(misdeed: Misdeed, path: string, request: IncomingMessage, response: ServerResponse) {
    if (misdeed === 'no-answer') return;
    const { headers, body } = await backend(root, path, request);
    if (!/-refs$/.test(misdeed)) return void response.writeHead(200, headers).end(body);
    response.writeHead(200, headers).write(body.subarray(0, -4)); // without the packet that ends the list
    if (misdeed === 'half-refs') return;
    const isSlow = misdeed === 'slow-refs';
    const names = Array.from({ length: isSlow ? 1 : MANY_REFS }, (_, index) => `refs/heads/branch-${index}`);
    const lines = Buffer.from(names.map((name) => packet(`${'1'.repeat(40)} ${name}\n`)).join(''));
    while (!response.destroyed) {
      const isRead = response.write(lines);
      if (isSlow) await sleep(50);
      else await mayWrite(response, isRead);
    }
  }

  async function pack(misdeed: Misdeed, path: string, request: IncomingMessage, response: ServerResponse) {
    if (misdeed === 'no-pack') return;
    const { headers, body } = await backend(root, path, request);
    const at = body.indexOf('PACK'); // a first request is only about the depth
    if (misdeed === 'none' || at === -1) return void response.writeHead(200, headers).end(body);
    response.writeHead(200, headers).write(body.subarray(0, at - 5));
    // A pack of a million objects, each the same incompressible blob of 60 kB.
    const head = Buffer.concat([Buffer.from('PACK'), Buffer.from([0, 0, 0, 2, 0, 0x0f, 0x42, 0x40])]);
    const content = crypto.getRandomValues(Buffer.alloc(60_000));
    const blob = Buffer.concat([blobHeader(content.length), deflateSync(content)]);
    response.write(sideband(head));
    while (!response.destroyed) {
      const isRead = response.write(sideband(blob));
      if (misdeed === 'half-pack') return;
      await mayWrite(response, isRead);
    }
  }
  return {
    address: (misdeed, repository) => `http://127.0.0.1:${port}/${misdeed}/${repository}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Waits until the client has read what was written, or is gone, and lets the rest of the process run. */
async function mayWrite(response: ServerResponse, isRead: boolean): Promise<void> {
  await nextTurn();
  if (isRead || response.destroyed || !response.writableNeedDrain) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  response.once('drain', resolve).once('close', resolve);
  await promise;
  response.off('drain', resolve).off('close', resolve);
}

/** A part of a pack as a packet of the data channel. */
function sideband(data: Buffer): Buffer {
  const length = (data.length + 5).toString(16).padStart(4, '0');
  return Buffer.concat([Buffer.from(`${length}\x01`, 'latin1'), data]);
}

/** The header of a blob in a pack: its type, and its size in groups of bits. */
function blobHeader(size: number): Buffer {
  const bytes = [(3 << 4) | (size & 0x0f)];
  for (let rest = size >> 4; rest > 0; rest >>= 7) {
    bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) | 0x80;
    bytes.push(rest & 0x7f);
  }
  return Buffer.from(bytes);
}

/** The complete answer of git's own server. */
async function backend(root: string, path: string, request: IncomingMessage) {
  const { search } = new URL(request.url ?? '/', 'http://x');
  const { stdout } = await execa('git', ['http-backend'], {
    env: {
      ...gitEnvironment,
      ...{ GIT_PROJECT_ROOT: root, GIT_HTTP_EXPORT_ALL: '1', PATH_INFO: path, QUERY_STRING: search.slice(1) },
      ...{ REQUEST_METHOD: request.method ?? '', CONTENT_TYPE: request.headers['content-type'] ?? '' },
      HTTP_CONTENT_ENCODING: request.headers['content-encoding'] ?? '',
      REMOTE_ADDR: '127.0.0.1',
    },
    input: request,
    encoding: 'buffer',
  });
  const answer = Buffer.from(stdout);
  const end = answer.indexOf('\r\n\r\n');
  const lines = answer.subarray(0, end).toString().split('\r\n');
  const headers = Object.fromEntries(lines.map((line) => line.split(': ') as [string, string]));
  return { headers, body: answer.subarray(end + 4) };
}
