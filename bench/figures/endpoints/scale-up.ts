import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { EndpointClient } from '../../../daemon/testing/endpoints/endpoint-client.ts';
import { monotonicMs } from '../../harness/clock.ts';
import { type Figure, row } from '../../harness/figure.ts';
import { alternate } from '../../harness/samples.ts';
import { bareRunner } from './bare-start.ts';
import { type EndpointBench, startEndpointBench } from './endpoint-bench.ts';

const POLL_MS = 50;
/** A start that takes longer is none: the load is measured over 20 s. */
const LONGEST_MS = 90_000;
/** Each takes more than 20 s, in which the load is measured: with the first turn, about 90 s. */
const SAMPLES = 3;
/**
 * Requests at a time: more than the 1.5 for each replica above which another one starts, also on a busy machine, where
 * this program is slow to send the next one.
 */
const REQUESTS = 6;

/** The time that an endpoint takes to grow with its load. Most of it is the time over which the load is measured. */
export const scaleUp: Figure = {
  name: 'scale-up',
  measures: 'from the first of six chats at a time to an endpoint with one replica, to a second one that is ready',
  beside: 'the same program started by hand with the same model, until it is healthy',
  measure: async ({ quick }) => {
    await using bench = await startEndpointBench('none');
    const { endpoint, modelPath, daemon } = bench;
    const socketPath = join(daemon.dataDir, 'bare.sock');
    const taken = await alternate(
      quick ? 1 : SAMPLES,
      async () => {
        await scale(bench, 1);
        await scale(bench, 2);
        return underLoad(endpoint, REQUESTS, async () => {
          const startedMs = monotonicMs();
          await untilReady(endpoint, 2);
          return monotonicMs() - startedMs;
        });
      },
      () => bareRunner(modelPath, socketPath),
    );
    return [row('scale-up, one to two', 'ms', taken)];
  },
};

/** Sets the most replicas of an endpoint that has one as long as it is not used. */
async function scale({ daemon, token }: EndpointBench, maxReplica: number): Promise<void> {
  const answer = await fetch(`${daemon.url}/v2/endpoint/lab/tiny`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ compute: { scaling: { minReplica: 1, maxReplica } } }),
  });
  if (!answer.ok) throw new Error(`The change was refused: ${await answer.text()}`);
}

async function untilReady(endpoint: EndpointClient, replicas: number): Promise<void> {
  const untilMs = monotonicMs() + LONGEST_MS;
  while ((await endpoint.get()).status.readyReplica < replicas) {
    if (monotonicMs() > untilMs) {
      const { scaling } = (await endpoint.own()).report;
      throw new Error(`There are not ${replicas} replicas after ${LONGEST_MS / 1_000} s: ${scaling}`);
    }
    await sleep(POLL_MS);
  }
}

/** Does work while requests are sent to an endpoint, a number at a time. */
async function underLoad<T>(endpoint: EndpointClient, requests: number, work: () => Promise<T>): Promise<T> {
  let isOver = false;
  const send = async () => {
    while (!isOver) await (await endpoint.chat({ max_tokens: 64 })).text();
  };
  const sending = Promise.all(Array.from({ length: requests }, send));
  try {
    return await work();
  } finally {
    isOver = true;
    await sending;
  }
}
