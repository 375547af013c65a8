import { expect, test } from 'vitest';
import { KeyedMutex, Mutex } from './mutex.ts';

const settle = () => new Promise((resolve) => setImmediate(resolve));

test('holders of a key come one at a time, in order; other keys do not wait', async () => {
  const mutexes = new KeyedMutex();
  const order: string[] = [];
  const first = await mutexes.acquire('a');
  const second = mutexes.acquire('a').then((release) => {
    order.push('second');
    return release;
  });
  const third = mutexes.acquire('a').then((release) => {
    order.push('third');
    return release;
  });
  (await mutexes.acquire('b'))();
  await settle();
  expect(order).toEqual([]);
  first();
  (await second)();
  (await third)();
  expect(order).toEqual(['second', 'third']);
  await settle();
  expect(mutexes.isLocked('a')).toBe(false);
});

test('a waiting call can be aborted, and the calls behind it still get the key after the first', async () => {
  const mutexes = new KeyedMutex();
  const first = await mutexes.acquire('a');
  const gaveUp = new AbortController();
  const waits = mutexes.acquire('a', gaveUp.signal);
  let isBehind = false;
  const behind = mutexes.acquire('a').then((release) => {
    isBehind = true;
    release();
  });
  gaveUp.abort(new Error('no longer wanted'));
  await expect(waits).rejects.toThrow('no longer wanted');
  await settle();
  expect(isBehind).toBe(false);
  first();
  await behind;
});

test('work that fails releases its key', async () => {
  const mutexes = new KeyedMutex();
  const first = mutexes.run('a', () => Promise.reject(new Error('broken')));
  const second = mutexes.run('a', async () => 'done');
  await expect(first).rejects.toThrow('broken');
  expect(await second).toBe('done');
  expect(mutexes.isLocked('a')).toBe(false);
});

test('without keys, work runs in order, whether the work before it failed or not; idle() waits for it', async () => {
  const mutex = new Mutex();
  const done: string[] = [];
  const first = mutex.run(async () => {
    await settle();
    done.push('first');
    throw new Error('broken');
  });
  const second = mutex.run(() => done.push('second'));
  const idle = mutex.idle().then(() => done.push('idle'));
  await expect(first).rejects.toThrow('broken');
  expect(await second).toBe(2);
  await idle;
  expect(done).toEqual(['first', 'second', 'idle']);
});
