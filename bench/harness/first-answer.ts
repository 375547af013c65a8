import { once } from 'node:events';
import { get } from 'node:http';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Child } from './child.ts';

const EVERY_MS = 2;
const WITHIN_MS = 30_000;

/**
 * Settles when the program answers an HTTP request. Tries a new connection every 2 ms while connections are refused, then
 * waits for the response.
 * @throws Error when the program exits, takes over 30 s, or answers with another status than 200
 */
export async function firstAnswer(url: string, child: Child): Promise<void> {
  const deadline = AbortSignal.timeout(WITHIN_MS);
  while (!(await answers(url))) {
    const { exitCode, signalCode } = child.process.nodeChildProcess;
    if (exitCode !== null || signalCode !== null) await child.line();
    if (deadline.aborted) throw new Error(`Nothing answered at ${url} within ${WITHIN_MS / 1000} s.`);
    await sleep(EVERY_MS);
  }
}

function answers(url: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const request = get(url, { agent: false }, (response) => {
      response.resume();
      if (response.statusCode === 200) resolve(true);
      else reject(new Error(`${url} answered ${response.statusCode}.`));
    });
    request.on('error', (error: NodeJS.ErrnoException) =>
      error.code === 'ECONNREFUSED' ? resolve(false) : reject(error),
    );
  });
}

/** Finds a port on which nothing listens. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}
