import { type Figure, row } from '../../harness/figure.ts';
import { keepAliveClient } from '../../harness/keep-alive-client.ts';
import { alternate } from '../../harness/samples.ts';
import { startGatewayBench } from './gateway-bench.ts';

const OVER_DIRECT_MS = 0.5;
const OVER_DIRECT_AT_P99_MS = 2;

const CHAT = { model: 'model', messages: [{ role: 'user', content: 'Say one word.' }], max_tokens: 1 };

/** The time that the gateway adds to an answer. */
export const gatewayLatency: Figure = {
  name: 'gateway-latency',
  measures: 'an answer of 0.5 kB through the gateway of the daemon, to its last byte, on a keep-alive connection',
  beside: 'the same model server without the gateway, on a port, requested in turns',
  measure: async ({ quick }) => {
    await using bench = await startGatewayBench();
    using client = keepAliveClient();
    const askBy = async (label: string, ask: (url: string) => Promise<number>) => {
      const [ours, direct] = [() => ask(bench.gatewayUrl), () => ask(bench.directUrl)];
      if (!quick) for (let turn = 0; turn < 500; turn++) await Promise.all([ours(), direct()]);
      const taken = await alternate(quick ? 2 : 3_000, ours, direct);
      const { median, p99 } = taken.beside;
      return row(label, 'ms', taken, () => ({
        text: `≤ direct + ${OVER_DIRECT_MS} ms, p99 + ${OVER_DIRECT_AT_P99_MS} ms`,
        most: median + OVER_DIRECT_MS,
        mostAtP99: p99 + OVER_DIRECT_AT_P99_MS,
      }));
    };
    return [
      await askBy('gateway-latency', async (url) => (await client.get(`${url}/answer`)).tookMs),
      await askBy(
        'gateway-latency, chat',
        async (url) => (await client.post(`${url}/v1/chat/completions`, CHAT)).tookMs,
      ),
    ];
  },
};
