import { expect, test } from 'vitest';
import { manualClock } from '../../../testing/manual-clock.ts';
import { scriptedRuntime } from '../../../testing/models/scripted-runtime.ts';
import { partsNamed } from '../../../testing/models/some-endpoints.ts';
import { ReplicaWatch } from './replica-watch.ts';

const MINUTE_MS = 60_000;

/** Watches a replica that does not answer yet. */
async function watched(more: { readonly preparesModel: boolean; readonly container?: string }) {
  const clock = manualClock();
  const runtime = scriptedRuntime();
  runtime.isQuick = false;
  const model = { kind: 'nothing' } as const;
  const spec = { id: 'r1', parts: partsNamed('chat'), model, variables: {}, socketPath: '/s', threads: 1 };
  const started = await runtime.start(spec);
  const watch = new ReplicaWatch({ ...started, ...more }, clock, new AbortController().signal);
  return { clock, replica: runtime.started[0], loaded: watch.loaded() };
}

test('a model that is on the disk is loaded within ten minutes', async () => {
  const { clock, loaded } = await watched({ preparesModel: false });
  const failed = expect(loaded).rejects.toMatchObject({
    failure: { reason: 'timeout', message: 'The model was not loaded within 10 minutes.' },
  });
  await clock.advance(11 * MINUTE_MS);
  await failed;
});

test('a container that runs and does not answer names the route that was asked', async () => {
  const { clock, loaded } = await watched({ preparesModel: false, container: 'c1' });
  const failed = expect(loaded).rejects.toMatchObject({
    failure: { message: 'The container did not answer 200 at its health route /health within 10 minutes.' },
  });
  await clock.advance(11 * MINUTE_MS);
  await failed;
});

test('a container that downloads its model by itself has hours for it', async () => {
  const { clock, replica, loaded } = await watched({ preparesModel: true, container: 'c1' });
  await clock.advance(30 * MINUTE_MS);
  replica?.becomeHealthy();
  await clock.advance(1_000);
  expect(await loaded).toBe(true);
});
