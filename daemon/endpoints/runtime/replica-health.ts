const CHECK_MS = 5_000;
/** A health answer has a few bytes. */
const MAX_BYTES = 64 * 1024;

/**
 * Asks the program behind a Unix socket, or a named pipe on Windows, for its health.
 * @returns whether it answers 200 within 5 s. Never rejects.
 */
export async function isHealthy(socketPath: string, route: string): Promise<boolean> {
  // Loaded on first use: the daemon starts without it.
  const { Client } = await import('undici');
  // The host of the address is not used.
  const client = new Client('http://localhost', { connect: { socketPath }, pipelining: 1 });
  const signal = AbortSignal.timeout(CHECK_MS);
  try {
    const { statusCode, body } = await client.request({ method: 'GET', path: route, signal });
    await body.dump({ limit: MAX_BYTES, signal });
    return statusCode === 200;
  } catch {
    return false; // it does not listen yet, or has ended
  } finally {
    await client.destroy();
  }
}
