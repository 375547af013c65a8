import { expect, test } from 'vitest';
import { Turn, Turns } from './turns.ts';

const settle = () => new Promise((resolve) => setImmediate(resolve));

test('one after the other for a key, in the order that they came; other keys do not wait', async () => {
  const turns = new Turns();
  const order: string[] = [];
  const first = await turns.take('a');
  const second = turns.take('a').then((giveBack) => {
    order.push('second');
    return giveBack;
  });
  const third = turns.take('a').then((giveBack) => {
    order.push('third');
    return giveBack;
  });
  (await turns.take('b'))();
  await settle();
  expect(order).toEqual([]);
  first();
  (await second)();
  (await third)();
  expect(order).toEqual(['second', 'third']);
  await settle();
  expect(turns.isTaken('a')).toBe(false);
});

test('who waits may give up, and those behind it still get their turn after the first', async () => {
  const turns = new Turns();
  const first = await turns.take('a');
  const gaveUp = new AbortController();
  const waits = turns.take('a', gaveUp.signal);
  let isBehind = false;
  const behind = turns.take('a').then((giveBack) => {
    isBehind = true;
    giveBack();
  });
  gaveUp.abort(new Error('no longer wanted'));
  await expect(waits).rejects.toThrow('no longer wanted');
  await settle();
  expect(isBehind).toBe(false);
  first();
  await behind;
});

test('work for a key has its turn, and gives it back when it fails', async () => {
  const turns = new Turns();
  const first = turns.run('a', () => Promise.reject(new Error('broken')));
  const second = turns.run('a', async () => 'done');
  await expect(first).rejects.toThrow('broken');
  expect(await second).toBe('done');
  expect(turns.isTaken('a')).toBe(false);
});

test('without keys, work is done in its order, whether that before it failed or not; its end can be awaited', async () => {
  const turn = new Turn();
  const done: string[] = [];
  const first = turn.run(async () => {
    await settle();
    done.push('first');
    throw new Error('broken');
  });
  const second = turn.run(() => done.push('second'));
  const over = turn.over().then(() => done.push('over'));
  await expect(first).rejects.toThrow('broken');
  expect(await second).toBe(2);
  await over;
  expect(done).toEqual(['first', 'second', 'over']);
});
