import { Agent, get } from 'node:http';
import { connect } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { monotonicMs } from './clock.ts';

/** Asks on connections that stay open from one question to the next. */
export interface KeptConnections extends Disposable {
  /** @returns the body, and the milliseconds to its last byte */
  readonly ask: (url: string) => Promise<{ readonly body: Buffer; readonly tookMs: number }>;
}

export function keptConnections(): KeptConnections {
  const agent = new Agent({ keepAlive: true });
  return {
    ask: async (url) => {
      const askedMs = monotonicMs();
      const body = await new Promise<Buffer>((resolve, reject) => {
        get(url, { agent }, (response) => void buffer(response).then(resolve, reject)).on('error', reject);
      });
      return { body, tookMs: monotonicMs() - askedMs };
    },
    [Symbol.dispose]: () => agent.destroy(),
  };
}

/**
 * The milliseconds that an answer takes of a server that is never without a question: several connections ask one
 * question after the other and look at nothing but where an answer ends, so that it is the server's speed and not the
 * asker's. All answers are of one length.
 */
export async function busyAnswerMs(url: string, connections: number, answers: number): Promise<number> {
  const startMs = monotonicMs();
  const each = Math.ceil(answers / connections);
  await Promise.all(Array.from({ length: connections }, () => askInTurn(new URL(url), each)));
  return (monotonicMs() - startMs) / (each * connections);
}

function askInTurn({ host, hostname, port, pathname, search }: URL, times: number): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const question = `GET ${pathname}${search} HTTP/1.1\r\nHost: ${host}\r\n\r\n`;
  const socket = connect(Number(port), hostname, () => socket.write(question));
  let first = Buffer.alloc(0);
  let answerLength = 0;
  let arrived = 0;
  let answered = 0;
  socket.on('data', (chunk) => {
    arrived += chunk.length;
    if (answerLength === 0) {
      first = Buffer.concat([first, chunk]);
      answerLength = lengthOf(first);
    }
    if (answerLength === 0 || arrived < answerLength) return;
    arrived -= answerLength;
    answered += 1;
    if (answered === times) socket.destroy();
    else socket.write(question);
  });
  socket.on('error', reject);
  socket.on('close', () => (answered === times ? resolve() : reject(new Error('The server ended a connection.'))));
  return promise;
}

/** Of a whole answer, its head included; 0 while its head has not arrived. */
function lengthOf(answer: Buffer): number {
  const headLength = answer.indexOf('\r\n\r\n') + 4;
  const bodyLength = /^content-length: (\d+)\r$/im.exec(answer.toString('latin1', 0, headLength))?.[1];
  return headLength < 4 || bodyLength === undefined ? 0 : headLength + Number(bodyLength);
}
