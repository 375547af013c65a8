/** The number of an endpoint's replicas follows its load. */
import { expect, test } from 'vitest';
import { scriptedRuntime } from '../../testing/models/scripted-runtime.ts';
import { somebody } from '../../testing/models/some-endpoints.ts';
import { superviseEndpoint } from '../../testing/models/supervised-endpoint.ts';
import { tinyFacts } from '../../testing/models/tiny-facts.ts';

const MINUTE_MS = 60_000;
const upTo = (maxReplica: number) => ({ minReplica: 1, maxReplica, scaleToZeroTimeout: null });

test('replicas are started for a load, and ended five minutes after it', async () => {
  const { clock, status, acquire, running, report, life } = await superviseEndpoint({ scaling: upTo(3) });
  expect(await status()).toMatchObject({ message: 'Ready.', readyReplica: 1, targetReplica: 1 });
  expect((await report()).scaling).toBe('1 replica: the load is not known yet.');
  const load = await Promise.all(Array.from({ length: 4 }, () => acquire()));
  await clock.advance(25_000);
  expect(await status()).toMatchObject({ message: 'Ready.', readyReplica: 3, targetReplica: 3 });
  expect((await report()).scaling).toBe('3 replicas: 4 requests at a time, at most 1.5 for each replica.');
  for (const backend of load) backend.release();
  await clock.advance(5 * MINUTE_MS - 15_000);
  expect([running(), (await report()).scaling]).toEqual([
    3,
    '3 replicas: 0 requests at a time; it was up to 4 in the last five minutes.',
  ]);
  await clock.advance(30_000);
  expect(await status()).toMatchObject({ message: 'Ready.', readyReplica: 1, targetReplica: 1 });
  expect(running()).toBe(1);
  expect(life().slice(-2)).toEqual([
    'scaled: 3 replicas: 4 requests at a time, at most 1.5 for each replica.',
    'scaled: 1 replica: 0 requests at a time, at most 1.5 for each replica.',
  ]);
});

test('a scale-down takes the replica with the fewest requests, and lets these end', async () => {
  const settings = { ...upTo(3), minReplica: 3, measure: { pendingRequests: 10 } };
  const { clock, endpoints, acquire, runtime, report } = await superviseEndpoint({ scaling: settings });
  const load = await Promise.all(Array.from({ length: 5 }, () => acquire()));
  const counts = new Map<string, number>();
  for (const { id } of load) counts.set(id, (counts.get(id) ?? 0) + 1);
  const [least] = [...counts].sort(([, a], [, b]) => a - b).map(([id]) => id);
  await endpoints.update('me', 'chat', { compute: { scaling: { minReplica: 1 } } }, somebody);
  await clock.advance(5 * MINUTE_MS + 30_000);
  const states = async () =>
    Object.fromEntries((await report()).replicas.map(({ id, state, requests }) => [id, [state, requests]]));
  const before = await states();
  expect(before[least as string]).toEqual(['draining', 1]);
  expect(Object.values(before).filter(([state]) => state === 'draining')).toHaveLength(2);
  const fresh = await acquire();
  expect(before[fresh.id]).toEqual(['ready', 2]); // it gets all new requests
  for (const backend of load) if (backend.id === least) backend.release();
  await clock.advance(0);
  expect(Object.keys(await states())).not.toContain(least);
  await clock.advance(10 * MINUTE_MS);
  expect(Object.keys(await states())).toEqual([fresh.id]); // a request that lasts too long ends with its replica
  expect(runtime.started.filter(({ isStopped }) => !isStopped)).toHaveLength(1);
});

test('a load that comes back puts a replica that is about to end back into service', async () => {
  const { clock, endpoints, acquire, runtime, report } = await superviseEndpoint({ scaling: upTo(2) });
  const many = await Promise.all(Array.from({ length: 3 }, () => acquire()));
  await clock.advance(25_000);
  for (const backend of many) backend.release();
  const held = [await acquire(), await acquire()]; // one on each, for long
  const states = async () => (await report()).replicas.map(({ state }) => state).sort();
  await clock.advance(30_000);
  await endpoints.update('me', 'chat', { compute: { scaling: { maxReplica: 1 } } }, somebody);
  await clock.advance(MINUTE_MS);
  expect(await states()).toEqual(['draining', 'ready']);
  await endpoints.update('me', 'chat', { compute: { scaling: { maxReplica: 2 } } }, somebody);
  const again = await Promise.all(Array.from({ length: 3 }, () => acquire()));
  await clock.advance(30_000);
  expect([await states(), runtime.started.length]).toEqual([['ready', 'ready'], 2]);
  await clock.advance(20 * MINUTE_MS);
  expect(await states()).toEqual(['ready', 'ready']);
  for (const backend of [...again, ...held]) backend.release();
});

test('a load that needs many replicas gets twice as many at a time, the next ones once these serve', async () => {
  const settings = { ...upTo(32), measure: { pendingRequests: 0 } };
  const { clock, status, acquire, runtime } = await superviseEndpoint({ scaling: settings });
  runtime.isQuick = false;
  const one = await acquire();
  const targets: number[] = [];
  for (let step = 0; step < 3; step++) {
    await clock.advance(MINUTE_MS);
    targets.push((await status()).targetReplica);
    for (let { targetReplica, readyReplica } = await status(); readyReplica < targetReplica; readyReplica++) {
      runtime.started.at(-1)?.becomeHealthy(); // they start one after the other
      await clock.advance(600);
    }
  }
  expect(targets).toEqual([2, 4, 8]);
  one.release();
});

test('as many replicas are started as the free memory has room for, and the report says so', async () => {
  const runtime = scriptedRuntime();
  let totalBytes = 2.5e6;
  const availableBytes = () => totalBytes - 1e6 * runtime.started.length; // each takes 1 MB
  const { clock, status, acquire, running, report } = await superviseEndpoint({
    ...{ scaling: upTo(8), runtime, availableBytes },
  });
  const load = await Promise.all(Array.from({ length: 9 }, () => acquire()));
  await clock.advance(MINUTE_MS);
  expect([running(), (await report()).scaling]).toEqual([
    2,
    '2 replicas, the most that the free memory has room for: 9 requests at a time, more than 1.5 for each replica.',
  ]);
  totalBytes = 1e9;
  await clock.advance(MINUTE_MS);
  expect(await status()).toMatchObject({ readyReplica: 6, targetReplica: 6 });
  for (const backend of load) backend.release();
});

test('a replica for which there is no memory stops the growth for five minutes, and the others serve', async () => {
  let availableBytes = 1e9;
  const check = async () => ({ ...tinyFacts, sizeBytes: 5e6 }); // the one that serves takes 1 MB
  const given = { scaling: upTo(3), check, availableBytes: () => availableBytes };
  const { clock, status, acquire, running, report, life } = await superviseEndpoint(given);
  availableBytes = 4e6;
  const load = await Promise.all(Array.from({ length: 4 }, () => acquire()));
  await clock.advance(25_000);
  expect(await status()).toMatchObject({ state: 'running', message: 'Ready.', readyReplica: 1, targetReplica: 1 });
  const why = /^No other replica is started for five minutes, because one failed\. The model needs at least/;
  expect((await report()).scaling).toMatch(why);
  expect(life().at(-1)).toMatch(/^scaled: No other replica is started for five minutes/);
  availableBytes = 1e9;
  await clock.advance(4 * MINUTE_MS);
  expect(running()).toBe(1);
  await clock.advance(MINUTE_MS);
  expect(await status()).toMatchObject({ readyReplica: 3, targetReplica: 3 });
  for (const backend of load) backend.release();
});

test('a second replica that the settings demand is tried again after five minutes', async () => {
  let availableBytes = 1e9;
  const scaling = { minReplica: 2, maxReplica: 2, scaleToZeroTimeout: null };
  const { clock, status, runtime } = await superviseEndpoint({ scaling, availableBytes: () => availableBytes });
  availableBytes = 1;
  runtime.started[1]?.end({ signal: 'SIGKILL' });
  await clock.advance(1_000);
  expect(await status()).toMatchObject({ state: 'running', message: 'Ready: 1 of 2 replicas.', targetReplica: 2 });
  availableBytes = 1e9;
  await clock.advance(5 * MINUTE_MS + 10_000);
  expect(await status()).toMatchObject({ state: 'running', message: 'Ready.', readyReplica: 2 });
});

test('the processor time is a measure too', async () => {
  const scaling = { ...upTo(4), measure: { hardwareUsage: 40 } };
  const { clock, runtime, status, report, acquire } = await superviseEndpoint({ scaling });
  const held = await acquire();
  const busy = async (seconds: number, share: number) => {
    for (let second = 0; second < seconds; second++) {
      for (const replica of runtime.started) {
        replica.processorSeconds = (replica.processorSeconds ?? 0) + share / runtime.started.length;
      }
      await clock.advance(1_000);
    }
  };
  await busy(40, 0.3);
  expect(await status()).toMatchObject({ targetReplica: 1 });
  expect((await report()).replicas).toMatchObject([{ cpuPercent: expect.closeTo(30, 0) }]);
  await busy(25, 0.7);
  expect(await status()).toMatchObject({ readyReplica: 2, targetReplica: 2 });
  held.release();
});

test('the use of graphics cards is that of all programs; without it, or without requests, nothing is started', async () => {
  for (const [percent, requests, target] of [
    [95, 1, 2],
    [95, 0, 1], // another program uses them
    [60, 1, 1],
    [null, 1, 1],
  ] as const) {
    const { clock, status, report, acquire } = await superviseEndpoint({
      ...{ scaling: { ...upTo(2), measure: { hardwareUsage: null } }, accelerator: 'gpu', gpuUsage: () => percent },
    });
    const held = await Promise.all(Array.from({ length: requests }, () => acquire()));
    await clock.advance(30_000);
    expect(await status()).toMatchObject({ targetReplica: target });
    if (percent === null) {
      expect((await report()).scaling).toBe('1 replica: the use of the hardware cannot be measured here.');
    }
    for (const backend of held) backend.release();
  }
});

test('a change of the scaling starts and ends replicas in place', async () => {
  const { clock, endpoints, status, runtime, running } = await superviseEndpoint({ scaling: upTo(1) });
  const scale = async (scaling: object) => {
    await endpoints.update('me', 'chat', { compute: { scaling } }, somebody);
    await clock.advance(1_000);
    return status();
  };
  expect(await scale({ minReplica: 3, maxReplica: 3 })).toMatchObject({ state: 'running', readyReplica: 3 });
  expect(runtime.started).toHaveLength(3);
  expect(await scale({ minReplica: 1, maxReplica: 1 })).toMatchObject({ readyReplica: 1, targetReplica: 1 });
  expect([runtime.started.length, running()]).toEqual([3, 1]);
  expect(await scale({ maxReplica: 3 })).toMatchObject({ readyReplica: 1, targetReplica: 1 }); // there is no load
});

test('an endpoint that sleeps with several replicas wakes with one', async () => {
  const scaling = { minReplica: 0, maxReplica: 3, scaleToZeroTimeout: 1 };
  const { clock, state, acquire, running } = await superviseEndpoint({ scaling, runtime: scriptedRuntime() });
  const load = await Promise.all(Array.from({ length: 4 }, () => acquire()));
  await clock.advance(25_000);
  expect(running()).toBe(3);
  for (const backend of load) backend.release();
  await clock.advance(MINUTE_MS);
  expect([await state(), running()]).toEqual(['scaledToZero', 0]);
  const woken = acquire();
  await clock.advance(1_000);
  (await woken).release();
  expect(running()).toBe(1);
});
