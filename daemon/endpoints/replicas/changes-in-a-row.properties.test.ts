/** Whatever people and replicas do in a row: once all is well, an endpoint's state says what serves it. */
import { expect, test } from 'vitest';
import { somebody } from '../../testing/models/some-endpoints.ts';
import { superviseEndpoint } from '../../testing/models/supervised-endpoint.ts';
import { seededRandom } from '../../testing/seeded-random.ts';

const ROWS = 60;
const CHANGES = 8;
const PAUSES_MS = [0, 0, 1, 100, 1_000, 10_000];
const SERVES = ['running', 'updating', 'updateFailed'];

test.each(Array.from({ length: ROWS }, (_, seed) => seed))('row %i', async (seed) => {
  const random = seededRandom(seed);
  const oneOf = <T>(all: readonly T[]) => all[Math.floor(random() * all.length)] as T;
  let availableBytes = 1e9;
  const minReplica = oneOf([1, 2]);
  const scaling = { minReplica, maxReplica: 2, scaleToZeroTimeout: null };
  const given = { availableBytes: () => availableBytes, scaling };
  const { clock, endpoints, runtime, status, report } = await superviseEndpoint(given);
  const changes: Readonly<Record<string, () => unknown>> = {
    'there is no memory': () => {
      availableBytes = 1;
    },
    'replicas exit at once': () => {
      runtime.exitsAtOnce = true;
    },
    'replicas load slowly': () => {
      runtime.isQuick = false;
    },
    'all is well': () => {
      availableBytes = 1e9;
      runtime.exitsAtOnce = false;
      runtime.isQuick = true;
    },
    'a replica has loaded': () => runtime.started.at(-1)?.becomeHealthy(),
    'a replica ends': () => runtime.started.findLast(({ isStopped }) => !isStopped)?.end({ code: 1 }),
    update: () => endpoints.update('me', 'chat', { model: { env: { LLAMA_A: oneOf(['a', 'b', 'c']) } } }, somebody),
    pause: () => endpoints.apply({ namespace: 'me', name: 'chat' }, { type: 'pause' }, { by: somebody }),
    resume: () =>
      endpoints.apply({ namespace: 'me', name: 'chat' }, { type: 'resume' }, { by: somebody }).catch(() => {}), // refused while it runs
  };
  const row: string[] = [];
  for (let count = 0; count < CHANGES; count++) {
    const name = oneOf(Object.keys(changes));
    const done = changes[name]?.();
    const pauseMs = oneOf(PAUSES_MS);
    await clock.advance(pauseMs);
    await done;
    row.push(name, `${pauseMs} ms`);
  }
  changes['all is well']?.();
  for (const replica of runtime.started) if (!replica.isStopped) replica.becomeHealthy();
  await clock.advance(20 * 60_000);
  const { state } = await status();
  const serves = (await report()).replicas.some((replica) => replica.state === 'ready');
  expect({ row, state, serves }).toEqual({
    row,
    state: expect.toBeOneOf(serves ? SERVES : ['failed', 'paused']),
    serves,
  });
});
