import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { Places } from './places.ts';

const never = new AbortController().signal;

test('work waits for a place, in its order', async () => {
  const places = new Places([{ name: 'one' }]);
  const done: number[] = [];
  const gate = Promise.withResolvers<void>();
  const all = [1, 2, 3].map((number) =>
    places.use(never, async () => {
      await gate.promise;
      done.push(number);
    }),
  );
  await setImmediate();
  gate.resolve();
  await Promise.all(all);
  expect(done).toEqual([1, 2, 3]);
});

test('a free place is chosen by preference, and returned after a failure', async () => {
  const places = new Places([{ number: 1 }, { number: 2 }, { number: 3 }]);
  const fail = places.use(
    never,
    () => Promise.reject(new Error('failed')),
    (place) => -Math.abs(place.number - 2),
  );
  await expect(fail).rejects.toThrow('failed');
  expect(
    await places.use(
      never,
      async (place) => place,
      (place) => -Math.abs(place.number - 2),
    ),
  ).toEqual({ number: 2 });
});

test('one that leaves while it waits takes no place', async () => {
  const places = new Places([{ name: 'one' }]);
  const gate = Promise.withResolvers<void>();
  const first = places.use(never, () => gate.promise);
  const leaver = new AbortController();
  const left = places.use(leaver.signal, async () => 'ran');
  const last = places.use(never, async () => 'ran');
  leaver.abort(new Error('gone'));
  await expect(left).rejects.toThrow('gone');
  gate.resolve();
  expect(await last).toBe('ran');
  await first;
});

test('too many that wait are refused', async () => {
  const places = new Places([{ name: 'one' }]);
  const gate = Promise.withResolvers<void>();
  const all = Array.from({ length: 257 }, () => places.use(never, () => gate.promise));
  await expect(places.use(never, async () => {})).rejects.toMatchObject({ status: 503 });
  gate.resolve();
  await Promise.all(all);
});
