import { join } from 'node:path';
import { llamaServerForTests } from '../../../daemon/testing/models/llama-server-program.ts';
import { monotonicMs } from '../../harness/clock.ts';
import { type Figure, row } from '../../harness/figure.ts';
import type { Row } from '../../harness/rows.ts';
import { alternate } from '../../harness/samples.ts';
import { bareRunner, bareServer } from './bare-start.ts';
import { startEndpointBench } from './endpoint-bench.ts';

/** The time that a sleeping endpoint takes to answer. */
export const wakeUp: Figure = {
  name: 'wake-up',
  measures: 'from a chat request to a sleeping endpoint of a tiny model to its whole answer of one token',
  beside: 'the same program started by hand with the same model, until it is healthy',
  measure: async ({ quick }) => {
    const llamaServer = await llamaServerForTests();
    const rows: Row[] = [];
    for (const program of ['none', llamaServer]) {
      if (program === null) continue;
      const name = program === 'none' ? 'bundled program' : 'llama-server';
      await using bench = await startEndpointBench(program);
      const { endpoint, modelPath, daemon } = bench;
      const socketPath = join(daemon.dataDir, 'bare.sock');
      const taken = await alternate(
        quick ? 1 : 10,
        async () => {
          await endpoint.command('scale-to-zero');
          await endpoint.until('scaledToZero');
          const askedMs = monotonicMs();
          const answer = await endpoint.chat({ max_tokens: 1 });
          await answer.text();
          const tookMs = monotonicMs() - askedMs;
          if (!answer.ok) throw new Error(`The endpoint answered ${answer.status}.`);
          await endpoint.until('running');
          return tookMs;
        },
        () => (program === 'none' ? bareRunner(modelPath, socketPath) : bareServer(program, modelPath, socketPath)),
      );
      rows.push(row(`wake-up, ${name}`, 'ms', taken));
    }
    return rows;
  },
};
