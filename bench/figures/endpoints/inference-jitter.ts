import { llamaServerForTests } from '../../../daemon/testing/models/llama-server-program.ts';
import { type Figure, row } from '../../harness/figure.ts';
import { connectRobotProgram } from '../../harness/robot-program.ts';
import type { Row } from '../../harness/rows.ts';
import { bareJitter, recordJitter } from '../robot/loop-jitter.ts';
import { startEndpointBench } from './endpoint-bench.ts';

/** The number of concurrent conversations: more than a small machine has processors. */
const TALKERS = 4;

/** The jitter of the control loop while models are used. */
export const inferenceJitter: Figure = {
  name: 'inference-jitter',
  measures: `the deviation from 20 ms between two cycles, while ${TALKERS} clients chat with an endpoint without a pause`,
  beside: 'a process that runs the same loop without work, beside the same chats',
  measure: async ({ quick }) => {
    const forMs = quick ? 1_000 : 20_000;
    const llamaServer = await llamaServerForTests();
    const rows: Row[] = [];
    for (const program of ['none', llamaServer]) {
      if (program === null) continue;
      await using bench = await startEndpointBench(program);
      let isOver = false;
      const talk = async () => {
        while (!isOver) await (await bench.endpoint.chat({ max_tokens: 200 })).text();
      };
      const talking = Promise.all(Array.from({ length: TALKERS }, talk));
      try {
        await using robot = await connectRobotProgram(bench.daemon.url, 'bench');
        const ours = await recordJitter(robot, forMs);
        const beside = await bareJitter(forMs);
        rows.push(
          row(`loop jitter, inference on ${program === 'none' ? 'the bundled program' : 'llama-server'}`, 'ms', {
            ours,
            beside,
          }),
        );
      } finally {
        isOver = true;
        await talking;
      }
    }
    return rows;
  },
};
