import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below the range that systems take for outgoing connections, which would otherwise take the port before the app does. */
const [FIRST, LAST] = [20_000, 29_999];

/**
 * @returns a port on which nothing listens, for an app that names its port in its source; runs side by side choose others
 * @throws the error of the system, but for a port in use
 */
export async function freeAppPort(): Promise<number> {
  for (;;) {
    const port = randomInt(FIRST, LAST + 1);
    const server = createServer().listen(port, '127.0.0.1');
    const error = await once(server, 'listening').then(
      () => null,
      (error: NodeJS.ErrnoException) => error,
    );
    server.close();
    if (error === null) return port;
    if (error.code !== 'EADDRINUSE') throw error;
  }
}
