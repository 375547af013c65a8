import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import type { Clock } from '../../shared/clock.ts';
import { createLogger } from '../../shared/logger.ts';
import { scriptedRuntime } from '../../testing/models/scripted-runtime.ts';
import { partsNamed } from '../../testing/models/some-endpoints.ts';
import { tinyFacts } from '../../testing/models/tiny-facts.ts';
import { ReplicaSet } from './replica-set.ts';

test('a replica that is watched for weeks takes no memory for it', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  let waits = 0;
  const quick: Clock = {
    now: () => new Date(0),
    after: (_ms, work) => {
      waits += 1;
      const timer = setImmediate(work);
      return () => clearImmediate(timer);
    },
  };
  const runtime = scriptedRuntime();
  const set = new ReplicaSet(
    {
      ...{ name: 'chat', parts: partsNamed('chat'), replicas: 1, threads: 1, runtime: async () => runtime },
      prepare: async () => ({ modelPath: '/m.gguf', mmprojPath: null, draftPath: null, facts: tinyFacts }),
      variables: async () => ({}),
      sockets: { pathFor: async (id) => `/sockets/${id}` },
    },
    { onReady: () => {}, onProgress: () => {}, onFailed: () => {} },
    { clock: quick, log: createLogger('error') },
  );
  set.start(Promise.resolve());
  const heapAfter = async (more: number) => {
    for (const until = waits + more; waits < until; ) await new Promise((resolve) => setTimeout(resolve, 1));
    collect();
    return process.memoryUsage().heapUsed;
  };
  const before = await heapAfter(2_000);
  const growth = (await heapAfter(20_000)) - before; // three days
  await set.end();
  expect(growth).toBeLessThan(4e6);
});
