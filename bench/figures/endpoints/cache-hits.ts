import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Figure, row } from '../../harness/figure.ts';
import { busyResponseMs, keepAliveClient } from '../../harness/keep-alive-client.ts';
import { bareExpress, startAndWait, temporaryDataDir } from '../../harness/programs.ts';
import { alternate, type Summary } from '../../harness/samples.ts';
import { startGatewayBench } from './gateway-bench.ts';

const CONNECTIONS = 8;

/** How many kept answers the gateway sends a second. */
export const cacheHits: Figure = {
  name: 'cache-hits',
  measures: `answers of 0.5 kB from the cache of an endpoint, to the last byte, on keep-alive connections: one at a time and ${CONNECTIONS} at once`,
  beside: 'a bare Express server that sends the same bytes from memory, requested in the same way',
  measure: async ({ quick }) => {
    await using bench = await startGatewayBench('cached');
    using client = keepAliveClient();
    const url = `${bench.gatewayUrl}/answer`;
    const { body } = await client.get(url);
    await using folder = await temporaryDataDir();
    const file = join(folder.path, 'answer.json');
    await writeFile(file, body);
    const bare = await bareExpress(file);
    await using _server = await startAndWait(bare);
    await (await fetch(url)).text();
    if ((await fetch(url)).headers.get('x-cache') !== 'HIT') throw new Error('The cache did not answer.');
    const single = await alternate(
      quick ? 2 : 3_000,
      async () => (await client.get(url)).tookMs,
      async () => (await client.get(bare.url)).tookMs,
    );
    const answers = quick ? 16 : 8_000;
    const busy = await alternate(
      quick ? 2 : 10,
      () => busyResponseMs(url, CONNECTIONS, answers),
      () => busyResponseMs(bare.url, CONNECTIONS, answers),
    );
    return [
      row('cache-hits, one at a time', 'ms', single),
      row('cache-hits, a second', '/s', { ours: perSecond(busy.ours), beside: perSecond(busy.beside) }),
    ];
  },
};

function perSecond({ median, p99, samples }: Summary): Summary {
  return { median: 1_000 / median, p99: 1_000 / p99, samples };
}
