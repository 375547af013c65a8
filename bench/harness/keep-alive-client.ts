import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { monotonicMs } from './clock.ts';

interface Answer {
  readonly body: Buffer;
  readonly tookMs: number;
}

/** Sends HTTP requests on keep-alive connections. */
export interface KeepAliveClient extends Disposable {
  /** @returns the body, and the milliseconds to its last byte */
  readonly get: (url: string) => Promise<Answer>;
  /** Sends JSON. @returns as of `get` */
  readonly post: (url: string, json: unknown) => Promise<Answer>;
}

export function keepAliveClient(): KeepAliveClient {
  const agent = new Agent({ keepAlive: true });
  const ask = async (url: string, method: string, sent?: string): Promise<Answer> => {
    const headers = sent === undefined ? {} : { 'Content-Type': 'application/json' };
    const requestedMs = monotonicMs();
    const body = await new Promise<Buffer>((resolve, reject) => {
      request(url, { agent, method, headers }, (response) => void buffer(response).then(resolve, reject))
        .on('error', reject)
        .end(sent);
    });
    return { body, tookMs: monotonicMs() - requestedMs };
  };
  return {
    get: (url) => ask(url, 'GET'),
    post: (url, json) => ask(url, 'POST', JSON.stringify(json)),
    [Symbol.dispose]: () => agent.destroy(),
  };
}

/**
 * Measures the throughput of a saturated server. Several connections send one request after the other and only look for
 * the end of each response, so that the server is the bottleneck. All responses must have the same length.
 * @returns the mean milliseconds per response
 */
export async function busyResponseMs(url: string, connections: number, responses: number): Promise<number> {
  const startMs = monotonicMs();
  const each = Math.ceil(responses / connections);
  await Promise.all(Array.from({ length: connections }, () => sendInSequence(new URL(url), each)));
  return (monotonicMs() - startMs) / (each * connections);
}

function sendInSequence({ host, hostname, port, pathname, search }: URL, times: number): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const request = `GET ${pathname}${search} HTTP/1.1\r\nHost: ${host}\r\n\r\n`;
  const socket = connect(Number(port), hostname, () => socket.write(request));
  let first = Buffer.alloc(0);
  let responseLength = 0;
  let arrived = 0;
  let answered = 0;
  socket.on('data', (chunk) => {
    arrived += chunk.length;
    if (responseLength === 0) {
      first = Buffer.concat([first, chunk]);
      responseLength = responseLengthOf(first);
    }
    if (responseLength === 0 || arrived < responseLength) return;
    arrived -= responseLength;
    answered += 1;
    if (answered === times) socket.destroy();
    else socket.write(request);
  });
  socket.on('error', reject);
  socket.on('close', () => (answered === times ? resolve() : reject(new Error('The server closed a connection.'))));
  return promise;
}

/** The bytes of a response with its head; 0 while the head is incomplete. */
function responseLengthOf(response: Buffer): number {
  const headLength = response.indexOf('\r\n\r\n') + 4;
  const bodyLength = /^content-length: (\d+)\r$/im.exec(response.toString('latin1', 0, headLength))?.[1];
  return headLength < 4 || bodyLength === undefined ? 0 : headLength + Number(bodyLength);
}
