import { expect, test } from 'vitest';
import type { Replica } from '../runtime/endpoint-runtime.ts';
import { ReplicaUse } from './replica-use.ts';

const replica = { address: { socketPath: '/s' }, healthRoute: '/health' } as Replica;
const ready = ['a', 'b', 'c'].map((id) => ({ id, replica, isSilent: false }));

test('requests of a replica are counted until they are released, once each', () => {
  const use = new ReplicaUse(() => 0);
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
  const use = new ReplicaUse(() => random);
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
  const use = new ReplicaUse(() => random);
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
