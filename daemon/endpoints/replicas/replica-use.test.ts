import { expect, test } from 'vitest';
import type { Replica } from '../runtime/endpoint-runtime.ts';
import { ReplicaUse } from './replica-use.ts';

const replica = { address: { socketPath: '/s' }, healthRoute: '/health' } as Replica;
const ready = ['a', 'b', 'c'].map((id) => ({ id, replica, isSilent: false, slots: null as number | null }));

test('requests of a replica are counted until they are released, once each', () => {
  const use = new ReplicaUse(
    () => 0,
    () => 0,
  );
  const freed: boolean[] = [];
  const take = () => use.take(ready, 'random', {}, (isFree) => freed.push(isFree));
  const [one, two] = [take(), take()];
  expect([one?.id, two?.id, use.requestsOf('a'), use.requestsOf('b')]).toEqual(['a', 'a', 2, 0]);
  one?.release();
  one?.release();
  expect([freed, use.requestsOf('a')]).toEqual([[false], 1]);
  two?.release();
  expect([freed, use.requestsOf('a')]).toEqual([[false, true], 0]);
  expect(use.take([], 'random', {}, () => {})).toBeNull();
});

test('a session that a replica opened in its answer finds that replica again', () => {
  let random = 0.99;
  const use = new ReplicaUse(
    () => random,
    () => 0,
  );
  const ask = (mcpSession: string | null) =>
    use.take(ready, 'mcp', { affinity: { caller: 'me', mcpSession } }, () => {});
  const opening = ask(null);
  opening?.openedSession('s1');
  random = 0;
  ask(null)?.openedSession('s2');
  expect([opening?.id, ask('s1')?.id, ask('s2')?.id]).toEqual(['c', 'c', 'a']);
});

test('the requests of a replica may leave it, those of others and later ones may not', () => {
  let random = 0;
  const use = new ReplicaUse(
    () => random,
    () => 0,
  );
  const take = () => use.take(ready, 'random', {}, () => {});
  const [first, second] = [take(), take()];
  random = 0.99;
  const other = take();
  second?.release();
  use.giveUp('a');
  random = 0;
  expect([first, second, other, take()].map((one) => one?.lost.aborted)).toEqual([true, false, false, false]);
  use.giveUp('nobody');
});

test('a replica answers only as many generations at the same time as it has slots, and anything else beside them', () => {
  const use = new ReplicaUse(
    () => 0,
    () => 0,
  );
  const [a, b] = ready.slice(0, 2).map((one) => ({ ...one, slots: 1 }));
  const take = (takesSlot: boolean) => use.take([a, b] as typeof ready, 'random', { takesSlot }, () => {});
  const [first, second, third] = [take(true), take(true), take(true)];
  expect([first?.id, second?.id, third]).toEqual(['a', 'b', null]);
  expect(take(false)?.id).toBe('a');
  second?.release();
  second?.release();
  expect([take(true)?.id, take(true)]).toEqual(['b', null]);
});

test('a replica that sends nothing for ten seconds, while another one does, gets no new request until it does', () => {
  let nowMs = 0;
  let random = 0;
  const use = new ReplicaUse(
    () => random,
    () => nowMs,
  );
  const two = ready.slice(0, 2);
  const take = () => use.take(two, 'random', { takesSlot: true }, () => {});
  const silent = take(); // of a
  random = 0.99;
  const talking = take(); // of b
  random = 0;
  nowMs = 10_000;
  expect(take()?.id).toBe('a'); // the other one sends nothing either
  talking?.answers();
  expect(take()?.id).toBe('b');
  silent?.answers();
  expect(take()?.id).toBe('a');
  nowMs = 30_000;
  expect(take()?.id).toBe('a'); // both are silent
  expect(use.take(two.slice(0, 1), 'random', {}, () => {})?.id).toBe('a');
});

test('a replica whose streams of events are silent keeps its sessions and its callers, and has its time once it computes', () => {
  let nowMs = 0;
  const use = new ReplicaUse(
    () => 0,
    () => nowMs,
  );
  const affinityOf = (caller: string, mcpSession: string | null = null) => ({ affinity: { caller, mcpSession } });
  const take = (id: string, more = {}) =>
    use.take(
      ready.filter((one) => one.id === id),
      'random',
      more,
      () => {},
    );
  take('a')?.openedSession('s1'); // and its stream stays open
  take('a', affinityOf('me'));
  const other = take('b');
  nowMs = 60_000;
  other?.answers();
  expect(use.take(ready, 'mcp', affinityOf('me', 's1'), () => {})?.id).toBe('a');
  const callers = Array.from({ length: 30 }, (_, index) => affinityOf(`caller ${index}`));
  const replicasOf = () => callers.map((one) => use.take(ready, 'sticky', one, () => {})?.id);
  expect(new Set(replicasOf())).toEqual(new Set(['a', 'b', 'c']));
  take('a', { takesSlot: true });
  nowMs = 69_999;
  expect(new Set(replicasOf())).toEqual(new Set(['a', 'b', 'c']));
  nowMs = 70_000;
  other?.answers();
  expect(new Set(replicasOf())).toEqual(new Set(['b', 'c']));
});
