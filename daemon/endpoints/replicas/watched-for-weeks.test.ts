import { setImmediate as nextTurn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { Mutex } from '../../shared/async/mutex.ts';
import type { Clock } from '../../shared/clock.ts';
import { createLogger } from '../../shared/logger.ts';
import { manualClock } from '../../testing/manual-clock.ts';
import { scriptedRuntime } from '../../testing/models/scripted-runtime.ts';
import { partsNamed } from '../../testing/models/some-endpoints.ts';
import { startProgress } from '../preparation/start-report.ts';
import type { PreparedModel } from '../runtime/endpoint-runtime.ts';
import { ReplicaKeeper } from './replica-keeper.ts';

function keptReplica(clock: Clock) {
  const runtime = scriptedRuntime();
  const plan = {
    ...{ id: 'lab/chat', parts: () => partsNamed('chat'), threads: 1, availableBytes: () => null },
    prepare: async () => ({ runtime, model: { kind: 'nothing' } }) as const,
    start: async (model: PreparedModel) => ({
      spec: {
        id: 'r1',
        endpoint: 'lab/chat',
        parts: partsNamed('chat'),
        model,
        variables: {},
        socketPath: '/s',
        threads: 1,
        card: null,
      },
      slots: null,
    }),
    loaded: async () => {},
    ended: async () => 'restart' as const,
  };
  return new ReplicaKeeper(
    { plan, starts: new Mutex(), label: null, endCause: null, progress: startProgress(['start', 'load']) },
    {
      ...{ requestsOf: () => 0, onLine: () => {}, onProgress: () => {}, onChange: () => {} },
      ...{ clock, log: createLogger('error') },
    },
  );
}

test('a replica that is watched for weeks takes no memory for it', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  let waits = 0;
  const quick: Clock = {
    ...manualClock(),
    now: () => new Date(0),
    after: (_ms, work) => {
      waits += 1;
      const timer = setImmediate(work);
      return () => clearImmediate(timer);
    },
  };
  const keeper = keptReplica(quick);
  const ended = keeper.run();
  const heapAfter = async (more: number) => {
    for (const until = waits + more; waits < until; ) await nextTurn();
    collect();
    return process.memoryUsage().heapUsed;
  };
  const before = await heapAfter(2_000);
  const growth = (await heapAfter(20_000)) - before; // three days
  keeper.end();
  await ended;
  expect(growth).toBeLessThan(4e6);
});
