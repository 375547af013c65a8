import { Agent, get, type IncomingHttpHeaders } from 'node:http';
import type { EnginePlace } from './engine-places.ts';

const MAX_REPLY_BYTES = 1024 ** 2;

export interface EngineReply {
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/**
 * Asks an engine, without the library that runs containers: a look for an engine happens at each start of
 * the daemon, and loading the library takes a tenth of a second.
 * @throws the system's error, such as ECONNREFUSED; an Error for another reply than 200; the reason of the signal
 */
export function askEngine(place: EnginePlace, path: string, signal: AbortSignal): Promise<EngineReply> {
  return new Promise((resolve, reject) => {
    const agent = new Agent({ keepAlive: false });
    const request = get({ ...place, path, agent, signal, headers: { host: 'localhost' } }, (response) => {
      const chunks: Buffer[] = [];
      let bytes = 0;
      response.on('data', (chunk: Buffer) => {
        chunks.push(chunk);
        bytes += chunk.length;
        if (bytes > MAX_REPLY_BYTES) request.destroy(new Error(`the reply to ${path} is too large`));
      });
      response.once('error', reject);
      response.once('end', () => {
        if (response.statusCode !== 200) return reject(new Error(`${path} replied ${response.statusCode}`));
        resolve({ headers: response.headers, text: Buffer.concat(chunks).toString() });
      });
    });
    request.once('error', (error) => reject(signal.aborted ? signal.reason : error));
  });
}
