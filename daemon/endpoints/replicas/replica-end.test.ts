import { expect, onTestFinished, test } from 'vitest';
import { createLogger } from '../../shared/logger.ts';
import { manualClock } from '../../testing/manual-clock.ts';
import { scriptedRuntime } from '../../testing/models/scripted-runtime.ts';
import { partsNamed } from '../../testing/models/some-endpoints.ts';
import { tinyFacts } from '../../testing/models/tiny-facts.ts';
import { Changes } from './replica/changes.ts';
import { ReplicaSet } from './replica-set.ts';

test('a replica that has ended gets no more requests while its last lines are read', async () => {
  const clock = manualClock();
  const runtime = scriptedRuntime();
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
    { onChange: () => {}, onProgress: () => {}, onLine: () => {}, onShort: () => {}, onFailed: () => {} },
    { requestsOf: () => 0, changes: new Changes(clock), clock, log: createLogger('error', () => {}) },
  );
  onTestFinished(() => set.end());
  set.start(1, Promise.resolve());
  await expect.poll(() => set.ready).toHaveLength(1);
  runtime.started[0]?.endServing();
  await expect.poll(() => set.ready).toEqual([]);
  expect(set.endCause).toBeNull();
  runtime.started[0]?.end({ code: 3 });
  await expect.poll(() => set.endCause?.message).toContain('exit code 3');
});
