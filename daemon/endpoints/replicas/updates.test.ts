/** Replicas are replaced without a gap: by an update, and when they no longer answer. */
import { expect, test } from 'vitest';
import { scriptedRuntime } from '../../testing/models/scripted-runtime.ts';
import { somebody } from '../../testing/models/some-endpoints.ts';
import { CHAT, superviseEndpoint } from '../../testing/models/supervised-endpoint.ts';
import { tinyFacts } from '../../testing/models/tiny-facts.ts';

const MINUTE_MS = 60_000;
const three = { minReplica: 3, maxReplica: 3, scaleToZeroTimeout: null };
const two = { minReplica: 2, maxReplica: 2, scaleToZeroTimeout: null };
const change = (value: string) => ({ model: { env: { LLAMA_A: value } } });

test('an update replaces one replica after the other, and there is never more than one too many', async () => {
  const { clock, endpoints, runtime, status, running } = await superviseEndpoint({ scaling: three });
  runtime.isQuick = false;
  await endpoints.update('me', 'chat', change('c'), somebody);
  const seen: unknown[] = [];
  for (let turn = 0; turn < 3; turn++) {
    await clock.advance(1_000);
    seen.push([runtime.started.length, running(), (await status()).state, (await status()).readyReplica]);
    runtime.started.at(-1)?.becomeHealthy();
  }
  await clock.advance(1_000);
  expect(seen).toEqual([
    [4, 4, 'updating', 3],
    [5, 4, 'updating', 3],
    [6, 4, 'updating', 3],
  ]);
  expect(await status()).toMatchObject({ state: 'running', message: 'Ready.', readyReplica: 3 });
  expect([runtime.started.length, running()]).toEqual([6, 3]);
  expect(runtime.started.slice(3).map(({ spec }) => spec.variables)).toEqual(Array(3).fill({ LLAMA_A: 'c' }));
});

test('an update whose second replica fails puts every earlier one back into service, and the reason stands', async () => {
  let availableBytes = 1e9;
  const given = { scaling: two, availableBytes: () => availableBytes };
  const { clock, endpoints, runtime, status, report } = await superviseEndpoint(given);
  runtime.isQuick = false;
  await endpoints.update('me', 'chat', change('c'), somebody);
  await clock.advance(1_000);
  availableBytes = 1;
  runtime.isQuick = true;
  runtime.started[2]?.becomeHealthy();
  await clock.advance(1_000);
  availableBytes = 1e9;
  await clock.advance(10 * MINUTE_MS);
  const { state, errorMessage, readyReplica } = await status();
  expect([state, readyReplica]).toEqual(['updateFailed', 2]);
  expect(errorMessage).toMatch(/^The model needs at least .* then pause and resume it\.$/);
  const { replicas, failure } = await report();
  expect([replicas.map((one) => one.state), failure?.reason]).toEqual([['ready', 'ready'], 'no-memory']);
  const serving = runtime.started.filter(({ isStopped }) => !isStopped);
  expect(serving.map(({ spec }) => spec.variables)).toEqual(Array(2).fill({ LLAMA_A: 'b' }));
});

test('a replica of the earlier version that is started again gets the secrets of that version', async () => {
  const { clock, endpoints, runtime, state } = await superviseEndpoint({ scaling: two });
  await endpoints.update('me', 'chat', { model: { secrets: { LLAMA_KEY: 'old' } } }, somebody);
  await clock.advance(1_000);
  runtime.exitsAtOnce = true;
  await endpoints.update('me', 'chat', { model: { secrets: { LLAMA_KEY: 'new' } } }, somebody);
  await clock.advance(10_000);
  runtime.exitsAtOnce = false;
  expect(await state()).toBe('updateFailed');
  runtime.started.find(({ isStopped, spec }) => !isStopped && spec.variables['LLAMA_KEY'] === 'old')?.end({ code: 1 });
  await clock.advance(1_000);
  expect(runtime.started.at(-1)?.spec.variables['LLAMA_KEY']).toBe('old');
});

test('a replica that is replaced gets no new requests, and 30 s for those that it has', async () => {
  const { clock, endpoints, runtime, acquire, report, state } = await superviseEndpoint();
  const old = await acquire();
  await endpoints.update('me', 'chat', change('c'), somebody);
  await clock.advance(1_000);
  expect(await state()).toBe('running');
  const during = await acquire();
  expect(during.id).not.toBe(old.id);
  expect((await report()).replicas).toMatchObject([
    { id: during.id, state: 'ready', requests: 1 },
    { id: old.id, state: 'draining', requests: 1 },
  ]);
  await clock.advance(28_000);
  expect(runtime.started[0]?.isStopped).toBe(false);
  await clock.advance(2_000);
  expect(runtime.started[0]?.isStopped).toBe(true);
});

test('an update does not wait for a replica that had ten minutes to end, but for 30 s', async () => {
  const { clock, endpoints, runtime, acquire, state, running } = await superviseEndpoint({ scaling: two });
  await acquire();
  await acquire();
  await endpoints.update('me', 'chat', { compute: { scaling: { minReplica: 1, maxReplica: 1 } } }, somebody);
  await clock.advance(MINUTE_MS);
  expect([await state(), running()]).toEqual(['running', 2]); // one drains
  await endpoints.update('me', 'chat', change('c'), somebody);
  await clock.advance(61_000);
  expect(runtime.started.map(({ isStopped }) => isStopped)).toEqual([true, true, false]);
});

test('a pause just after an update gives the requests of the earlier version ten seconds, too', async () => {
  const { clock, endpoints, acquire, running } = await superviseEndpoint();
  await acquire();
  await endpoints.update('me', 'chat', change('c'), somebody);
  await clock.advance(5_000);
  expect(running()).toBe(2);
  await endpoints.apply({ namespace: 'me', name: 'chat' }, { type: 'pause' }, { by: somebody });
  await clock.advance(9_900);
  expect(running()).toBe(1);
  await clock.advance(200);
  expect(running()).toBe(0);
});

test('a pause during an update gives the requests under way ten seconds, and ends every other replica at once', async () => {
  const { clock, endpoints, runtime, acquire, running, state } = await superviseEndpoint({ scaling: two });
  const first = await acquire();
  await acquire();
  await endpoints.update('me', 'chat', change('c'), somebody);
  await clock.advance(1_000);
  expect(runtime.started.length).toBeGreaterThan(2);
  await endpoints.apply({ namespace: 'me', name: 'chat' }, { type: 'pause' }, { by: somebody });
  await clock.advance(0);
  expect([await state(), running()]).toEqual(['paused', 2]);
  first.release();
  await clock.advance(0);
  expect(running()).toBe(1);
  await clock.advance(9_900);
  expect(running()).toBe(1);
  await clock.advance(100);
  expect(running()).toBe(0);
});

test.each(['an update', 'the replacement of one that no longer answers'])(
  '%s keeps the number of slots',
  async (what) => {
    const runtime = scriptedRuntime();
    const facts = { ...tinyFacts, shape: { layers: 1, kvHeads: 1, headDim: 100 } }; // 200 MB a slot
    const capacityBytes = () => (runtime.started.some(({ isStopped }) => !isStopped) ? 0.55e9 : 1e9);
    const given = { runtime, ctxSize: 500_000, capacityBytes, check: async () => facts };
    const { clock, endpoints, report, acquire } = await superviseEndpoint(given);
    await acquire(); // the earlier one stays in memory for 30 s
    expect((await report()).replicas).toMatchObject([{ slots: 2 }]);
    if (what === 'an update') await endpoints.update('me', 'chat', change('c'), somebody);
    else runtime.started[0]?.hang();
    await clock.advance(MINUTE_MS);
    expect([runtime.started.length, (await report()).replicas]).toMatchObject([2, [{ state: 'ready', slots: 2 }]]);
  },
);

test('an update goes on when the earlier replicas end meanwhile', async () => {
  const runtime = scriptedRuntime();
  const { clock, endpoints, state } = await superviseEndpoint({ runtime });
  runtime.isQuick = false;
  await endpoints.update('me', 'chat', change('c'), somebody);
  await clock.advance(1_000);
  runtime.started[0]?.end({ signal: 'SIGKILL' });
  await clock.advance(100);
  expect(await state()).toBe('initializing');
  runtime.started[1]?.becomeHealthy();
  await clock.advance(1_000);
  expect(await state()).toBe('running');
  const serving = runtime.started.filter(({ isStopped }) => !isStopped);
  expect(serving.map(({ spec }) => spec.variables)).toEqual([{ LLAMA_A: 'c' }]);
});

test('a replica that does not answer gets no new requests until it does, and those that it has may leave it', async () => {
  const { clock, runtime, acquire, report, status } = await superviseEndpoint({ scaling: two });
  const [one, other] = [await acquire(), await acquire()];
  const hung = runtime.started.find(({ spec }) => spec.id === one.id);
  hung?.hang();
  await clock.advance(2_000);
  const states = (await report()).replicas.map(({ id, state }) => [id === one.id ? 'one' : 'other', state]);
  expect(Object.fromEntries(states)).toEqual({ one: 'silent', other: 'ready' });
  expect(await status()).toMatchObject({ state: 'running', readyReplica: 2 });
  expect([one.lost.aborted, other.lost.aborted]).toEqual([true, false]);
  one.release();
  const during = await Promise.all(Array.from({ length: 5 }, () => acquire()));
  expect(new Set(during.map(({ id }) => id))).toEqual(new Set([other.id]));
  hung?.becomeHealthy();
  await clock.advance(2_000);
  expect((await report()).replicas.map(({ state }) => state)).toEqual(['ready', 'ready']);
  expect((await acquire()).id).toBe(one.id);
  expect(runtime.started).toHaveLength(2);
});

test('the requests of the only replica stay with it while it does not answer', async () => {
  const { clock, runtime, acquire, state } = await superviseEndpoint();
  const only = await acquire();
  runtime.started[0]?.hang();
  await clock.advance(10_000);
  const waiting = acquire();
  await clock.advance(1_000);
  expect([only.lost.aborted, await state()]).toEqual([false, 'running']);
  runtime.started[0]?.becomeHealthy();
  await clock.advance(2_000);
  expect((await waiting).id).toBe(only.id);
});

test('a replica that no longer answers gets no new requests, and is replaced at once while its requests end', async () => {
  const { clock, runtime, acquire, report } = await superviseEndpoint({ scaling: { ...three, minReplica: 1 } });
  const slow = await acquire();
  runtime.started[0]?.hang();
  await clock.advance(10_000);
  expect(slow.lost.aborted).toBe(false); // there is no other one
  await clock.advance(13_000);
  expect(slow.lost.aborted).toBe(true);
  const fresh = await acquire();
  expect(fresh.id).not.toBe(slow.id);
  expect((await report()).replicas).toMatchObject([
    { id: slow.id, state: 'draining', requests: 1 },
    { id: fresh.id, state: 'ready', requests: 1 },
  ]);
  slow.release();
  await clock.advance(0);
  expect((await report()).replicas).toMatchObject([{ id: fresh.id }]);
  expect(runtime.started[0]?.isStopped).toBe(true);
});

test('the requests of replicas that stop answering together may leave them once one is replaced', async () => {
  const { clock, runtime, acquire } = await superviseEndpoint({ scaling: two });
  const both = [await acquire(), await acquire()];
  expect(new Set(both.map(({ id }) => id)).size).toBe(2);
  for (const replica of runtime.started) replica.hang();
  await clock.advance(10_000);
  expect(both.map(({ lost }) => lost.aborted)).toContain(false); // those of one may go to the other, which is asked later
  await clock.advance(13_000);
  expect(both.map(({ lost }) => lost.aborted)).toEqual([true, true]);
});

test('where the memory suffices for one replica, one that no longer answers ends before it is replaced', async () => {
  const runtime = scriptedRuntime();
  const availableBytes = () => (runtime.started.some(({ isStopped }) => !isStopped) ? 1 : 1e9);
  const { clock, acquire, state, running } = await superviseEndpoint({ runtime, availableBytes });
  await acquire();
  runtime.started[0]?.hang();
  await clock.advance(23_000);
  expect([await state(), runtime.started.length]).toEqual(['initializing', 1]);
  await clock.advance(31_000);
  expect([await state(), runtime.started.length, running()]).toEqual(['running', 2, 1]);
});

/** An update of two replicas at the time when one new replica serves, one starts, and no earlier one can be started. */
async function halfUpdated() {
  let availableBytes = 1e9;
  const given = { scaling: two, availableBytes: () => availableBytes };
  const endpoint = await superviseEndpoint(given);
  const { clock, endpoints, runtime } = endpoint;
  const endAndFail = async (replica = runtime.started.at(-1)) => {
    availableBytes = 1;
    replica?.end({ code: 1 });
    await clock.advance(2_000);
    availableBytes = 1e9;
  };
  runtime.isQuick = false;
  await endpoints.update('me', 'chat', change('c'), somebody);
  await clock.advance(1_000);
  runtime.started[2]?.becomeHealthy();
  await clock.advance(1_000);
  await endAndFail(runtime.started.slice(0, 2).find(({ isStopped }) => !isStopped));
  return { ...endpoint, endAndFail };
}

test('a new version whose earlier one has failed serves alone, and the change can be reverted', async () => {
  const { clock, endpoints, runtime, status, acquire } = await halfUpdated();
  expect(await status()).toMatchObject({ state: 'running', message: 'Ready: 1 of 2 replicas.' });
  runtime.isQuick = true;
  await endpoints.update('me', 'chat', change('b'), somebody);
  expect(await status()).toMatchObject({ state: 'updating', readyReplica: 1 });
  runtime.started.at(-1)?.becomeHealthy();
  await clock.advance(MINUTE_MS);
  expect(await status()).toMatchObject({ state: 'running', message: 'Ready.', readyReplica: 2 });
  expect(runtime.started.slice(-2).map(({ spec }) => spec.variables)).toEqual(Array(2).fill({ LLAMA_A: 'b' }));
  (await acquire()).release();
});

test('a second new replica that fails after every earlier one leaves the first in service', async () => {
  const { endAndFail, status, acquire, runtime } = await halfUpdated();
  await endAndFail();
  expect(await status()).toMatchObject({ state: 'running', message: 'Ready: 1 of 2 replicas.' });
  (await acquire()).release();
  expect(runtime.started[2]?.isStopped).toBe(false);
});

test('an endpoint that tries a failed update again, once the last earlier replica has ended, is not called waking', async () => {
  const { clock, endpoints, runtime, state, report } = await superviseEndpoint();
  runtime.exitsAtOnce = true;
  await endpoints.update('me', 'chat', change('c'), somebody);
  await clock.advance(10_000);
  expect(await state()).toBe('updateFailed');
  runtime.exitsAtOnce = false;
  runtime.isQuick = false;
  runtime.started[0]?.end({ code: 1 });
  await clock.advance(2_000);
  expect([await state(), (await report()).isWaking]).toEqual(['initializing', false]);
  expect(runtime.started.at(-1)?.spec.variables).toEqual({ LLAMA_A: 'c' });
});

test('how an endpoint serves is known while all its replicas have the same settings, and not while some differ', async () => {
  const { clock, endpoints, runtime, supervisor, acquire } = await superviseEndpoint({ scaling: two });
  const serving = () => {
    const found = supervisor.serving(CHAT);
    return found && { program: found.program, card: found.card, env: found.parts.model.env };
  };
  expect(supervisor.serving({ namespace: 'me', name: 'other' })).toBeNull();
  expect(serving()).toEqual({ program: 'scripted 1.0', card: null, env: { LLAMA_A: 'b' } });
  for (const replica of runtime.started) {
    Object.assign(replica, { cardUse: { card: 'Example 4000', layers: 25, totalLayers: 25, memoryBytes: 1 } });
  }
  expect(serving()?.card).toBe('Example 4000');
  const used = await acquire();
  runtime.isQuick = false;
  await endpoints.update('me', 'chat', change('c'), somebody);
  await clock.advance(1_000);
  expect(serving(), 'both versions may serve').toBeNull();
  for (let turn = 0; turn < 2; turn++) {
    runtime.started.at(-1)?.becomeHealthy();
    await clock.advance(1_000);
  }
  expect(serving(), 'one drains').toBeNull();
  used.release();
  await clock.advance(1_000);
  expect(serving()).toEqual({ program: 'scripted 1.0', card: null, env: { LLAMA_A: 'c' } });
});
