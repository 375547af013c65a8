import { expect, test } from 'vitest';
import type { Scaling } from '../../contract/compute/endpoint-compute.ts';
import { somebody } from '../../testing/models/some-endpoints.ts';
import { CHAT, superviseEndpoint } from '../../testing/models/supervised-endpoint.ts';
import { tinyFacts } from '../../testing/models/tiny-facts.ts';
import type { Backend } from './backends.ts';

const MINUTE_MS = 60_000;

/** An endpoint with one replica that answers two generations at the same time, and both have begun. */
async function busyEndpoint(scaling: Partial<Scaling> = {}) {
  const facts = { ...tinyFacts, shape: { layers: 1, kvHeads: 1, headDim: 100 } }; // 200 MB a slot
  const endpoint = await superviseEndpoint({
    scaling,
    ctxSize: 500_000,
    capacityBytes: () => 1e9,
    check: async () => facts,
  });
  const acquire = (signal = new AbortController().signal) =>
    endpoint.supervisor.acquire(CHAT, { waitMs: MINUTE_MS, signal, takesSlot: true });
  const [first, second] = [await acquire(), await acquire()];
  const order: string[] = [];
  const wait = (name: string, signal?: AbortSignal) => {
    const waiting = acquire(signal);
    waiting.then(
      () => order.push(name),
      (error: Error) => order.push(`${name}: ${error.message}`),
    );
    return waiting;
  };
  return { ...endpoint, first, second, order, wait };
}

test('further generations wait for their turn, and who came first goes first', async () => {
  const { clock, first, second, order, wait, report, acquire } = await busyEndpoint();
  const waiting = ['a', 'b', 'c'].map((name) => wait(name));
  await clock.advance(MINUTE_MS);
  expect(order).toEqual([]);
  expect((await report()).replicas).toMatchObject([{ requests: 2, slots: 2 }]);
  (await acquire()).release(); // what the model computes nothing for does not wait
  first.release();
  await clock.advance(0);
  expect(order).toEqual(['a']);
  second.release();
  (await (waiting[0] as Promise<Backend>)).release();
  await clock.advance(0);
  expect(order).toEqual(['a', 'b', 'c']);
});

test('a request that lost its replica has the place of its arrival again', async () => {
  const { clock, supervisor, first, order, wait } = await busyEndpoint();
  const arrivedMs = clock.elapsedMs();
  await clock.advance(1_000);
  void wait('a');
  await clock.advance(1_000);
  const { signal } = new AbortController();
  const lost = supervisor.acquire(CHAT, { waitMs: MINUTE_MS, signal, takesSlot: true, arrivedMs });
  void lost.then(() => order.push('lost'));
  void wait('b');
  first.release();
  await clock.advance(0);
  expect(order).toEqual(['lost']);
  (await lost).release();
  await clock.advance(0);
  expect(order).toEqual(['lost', 'a']);
});

test('a client that leaves gives up its place', async () => {
  const { clock, first, order, wait } = await busyEndpoint();
  const leaving = new AbortController();
  void wait('a', leaving.signal).catch(() => {});
  void wait('b');
  leaving.abort(new Error('gone'));
  await clock.advance(0);
  first.release();
  await clock.advance(0);
  expect(order).toEqual(['a: gone', 'b']);
});

test('a client that leaves while it gets its turn is not counted any more', async () => {
  const { clock, first, order, wait } = await busyEndpoint();
  let held = first;
  for (let turns = 0; turns < 10; turns++) {
    const leaving = new AbortController();
    const left = wait('', leaving.signal).then(
      (backend) => backend.release(),
      () => {},
    );
    await clock.advance(0);
    leaving.abort(new Error('gone'));
    for (let turn = 0; turn < turns; turn++) await Promise.resolve();
    held.release();
    await left;
    held = await wait('');
  }
  order.length = 0;
  void wait('a').catch(() => {});
  await clock.advance(10 * MINUTE_MS);
  expect(order).toEqual(['a: "chat" is busy: 2 requests are being answered.']);
});

test('a generation that came later does not overtake one that waits', async () => {
  const { clock, first, order, wait } = await busyEndpoint();
  void wait('a');
  await clock.advance(0);
  first.release();
  void wait('b');
  await clock.advance(0);
  expect(order).toEqual(['a']);
});

test('the wait for a turn ends after ten minutes, and says why', async () => {
  const { clock, order, wait } = await busyEndpoint();
  void wait('a').catch(() => {});
  await clock.advance(10 * MINUTE_MS - 1);
  expect(order).toEqual([]);
  await clock.advance(1);
  expect(order).toEqual(['a: "chat" is busy: 2 requests are being answered.']);
});

test('the wait for a turn ends when its sender says so', async () => {
  const { clock, supervisor } = await busyEndpoint();
  const { signal } = new AbortController();
  const ended: string[] = [];
  for (const queueMs of [0, 5_000]) {
    const asked = supervisor.acquire(CHAT, { waitMs: MINUTE_MS, queueMs, signal, takesSlot: true });
    asked.catch(({ message }: Error) => ended.push(`${queueMs}: ${message}`));
  }
  const busy = '"chat" is busy: 2 requests are being answered.';
  await clock.advance(4_999);
  expect(ended).toEqual([`0: ${busy}`]);
  await clock.advance(1);
  expect(ended).toEqual([`0: ${busy}`, `5000: ${busy}`]);
});

test('a generation that waits gets the free slot of a stalled replica as soon as that sends again', async () => {
  const { clock, first, second, order, wait } = await busyEndpoint({ minReplica: 2, maxReplica: 2 });
  expect(second.id).not.toBe(first.id);
  await clock.advance(10_000);
  second.answers();
  (await wait('')).answers(); // the other one has no slot free any more
  order.length = 0;
  void wait('a');
  await clock.advance(0);
  expect(order).toEqual([]);
  first.answers();
  await clock.advance(0);
  expect(order).toEqual(['a']);
});

test('a generation that waits gets the free slot of a stalled replica once the others send nothing either', async () => {
  const { clock, second, order, wait } = await busyEndpoint({ minReplica: 2, maxReplica: 2 });
  await clock.advance(10_000);
  second.answers();
  (await wait('')).answers(); // the other one has no slot free any more
  order.length = 0;
  void wait('a');
  await clock.advance(9_000);
  expect(order).toEqual([]);
  await clock.advance(11_000);
  expect(order).toEqual(['a']);
});

test('those that wait get an answer when the endpoint is paused', async () => {
  const { clock, order, wait, endpoints } = await busyEndpoint();
  void wait('a').catch(() => {});
  await endpoints.apply(CHAT, { type: 'pause' }, { by: somebody });
  await clock.advance(0);
  expect(order).toEqual(['a: "chat" is paused. Resume it to use it.']);
});

test('a generation that has queued for long waits on while the replica is silent for a moment', async () => {
  const { clock, first, order, wait, newest } = await busyEndpoint();
  void wait('a').catch(() => {});
  await clock.advance(1.5 * MINUTE_MS);
  newest().hang();
  await clock.advance(10_000);
  newest().becomeHealthy();
  await clock.advance(2_000);
  expect(order).toEqual([]);
  first.release();
  await clock.advance(0);
  expect(order).toEqual(['a']);
});

test('a generation that has queued for long waits for a replica that is started again, for as long as for a start', async () => {
  const { clock, order, wait, newest, runtime } = await busyEndpoint();
  runtime.isQuick = false;
  void wait('a').catch(() => {});
  void wait('b').catch(() => {});
  void wait('c').catch(() => {});
  await clock.advance(1.5 * MINUTE_MS);
  newest().end({ signal: 'SIGKILL' });
  await clock.advance(MINUTE_MS - 1_000);
  expect(order).toEqual([]);
  newest().becomeHealthy();
  await clock.advance(1_000);
  expect(order).toEqual(['a', 'b']);
  newest().end({ signal: 'SIGKILL' });
  await clock.advance(MINUTE_MS - 1);
  expect(order).toEqual(['a', 'b']);
  await clock.advance(1);
  expect(order.slice(2)).toEqual([expect.stringMatching(/^c: "chat" is starting\. /)]);
});

test('a request that no replica answers in time is refused because the model server is silent', async () => {
  const { clock, newest, supervisor } = await superviseEndpoint();
  newest().hang();
  await clock.advance(3_000);
  const signal = new AbortController().signal;
  const asked = supervisor.acquire(CHAT, { waitMs: 0, signal });
  await expect(asked).rejects.toThrow('"chat" does not answer: its model server is silent.');
});
