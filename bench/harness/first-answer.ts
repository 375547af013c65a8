import { once } from 'node:events';
import { get } from 'node:http';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Child } from './child.ts';

const EVERY_MS = 2;
const WITHIN_MS = 30_000;

/**
 * Settles when the program answers an HTTP request: asked on a connection of its own every 2 ms for as long as it is
 * refused. A connection that is taken waits for its answer.
 * @throws Error when the program ends, takes too long, or answers something else than 200
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

/** A port that nothing listens at now. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}
