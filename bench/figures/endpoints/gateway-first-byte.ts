import { Agent, get } from 'node:http';
import { monotonicMs } from '../../harness/clock.ts';
import { type Figure, row } from '../../harness/figure.ts';
import { alternate } from '../../harness/samples.ts';
import { startGatewayBench } from './gateway-bench.ts';

/** The time to the first token of a streamed answer. */
export const gatewayFirstByte: Figure = {
  name: 'gateway-first-byte',
  measures:
    'a streamed answer through the gateway of the daemon, from the request to the first byte of its body, on a new connection',
  beside: 'the same model server without the gateway, on a port, requested in turns',
  measure: async ({ quick }) => {
    await using bench = await startGatewayBench();
    const taken = await alternate(
      quick ? 2 : 1_000,
      () => firstByteMs(`${bench.gatewayUrl}/stream`),
      () => firstByteMs(`${bench.directUrl}/stream`),
    );
    return [row('gateway-first-byte', 'ms', taken)];
  },
};

/** Reads the first byte, and closes the connection. */
async function firstByteMs(url: string): Promise<number> {
  const agent = new Agent();
  const requestedMs = monotonicMs();
  try {
    return await new Promise<number>((resolve, reject) => {
      get(url, { agent }, (response) => {
        response.once('data', () => resolve(monotonicMs() - requestedMs));
        response.on('error', () => {}); // it is closed below
      }).on('error', reject);
    });
  } finally {
    agent.destroy();
  }
}
