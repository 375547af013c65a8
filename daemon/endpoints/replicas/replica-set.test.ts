import { setImmediate as nextTurn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import type { EndpointFailure } from '../../contract/endpoints/endpoint-report.ts';
import type { Clock } from '../../shared/clock.ts';
import { createLogger } from '../../shared/logger.ts';
import { manualClock } from '../../testing/manual-clock.ts';
import { scriptedRuntime } from '../../testing/models/scripted-runtime.ts';
import { partsNamed } from '../../testing/models/some-endpoints.ts';
import { tinyFacts } from '../../testing/models/tiny-facts.ts';
import { Changes } from './replica/changes.ts';
import { ReplicaSet } from './replica-set.ts';

function replicaSet(clock: Clock) {
  const runtime = scriptedRuntime();
  const failed = Promise.withResolvers<EndpointFailure>();
  const set = new ReplicaSet(
    {
      ...{
        id: 'lab/chat',
        parts: partsNamed('chat'),
        threads: 1,
        availableBytes: () => null,
        slots: async () => null,
        runtime: async () => runtime,
      },
      prepare: async () => ({
        kind: 'gguf',
        files: { modelPath: '/m.gguf', mmprojPath: null, draftPath: null, facts: tinyFacts },
      }),
      variables: async () => ({}),
      sockets: { pathFor: async (id) => `/sockets/${id}` },
    },
    { onChange: () => {}, onProgress: () => {}, onLine: () => {}, onShort: () => {}, onFailed: failed.resolve },
    { requestsOf: () => 0, changes: new Changes(clock), clock, log: createLogger('error') },
  );
  return { set, runtime, failed: failed.promise };
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
  const { set } = replicaSet(quick);
  set.start(1, Promise.resolve());
  const heapAfter = async (more: number) => {
    for (const until = waits + more; waits < until; ) await nextTurn();
    collect();
    return process.memoryUsage().heapUsed;
  };
  const before = await heapAfter(2_000);
  const growth = (await heapAfter(20_000)) - before; // three days
  await set.end();
  expect(growth).toBeLessThan(4e6);
});
