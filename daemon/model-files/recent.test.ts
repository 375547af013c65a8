import { expect, test } from 'vitest';
import { Recent } from './recent.ts';

function counting(most = 10) {
  let [time, calls] = [0, 0];
  const recent = new Recent<number | null>({
    elapsedMs: () => time,
    keptMs: (value) => (value === null ? 10 : 100),
    most,
  });
  const ask = (key: string, fail = false) =>
    recent.get(key, async () => {
      calls += 1;
      if (fail) throw new Error('no');
      return key === 'nothing' ? null : calls;
    });
  const pass = (ms: number) => {
    time += ms;
  };
  return { ask, pass, calls: () => calls };
}

test('a result is kept for its time, and shared by callers that come before it is there', async () => {
  const { ask, pass, calls } = counting();
  expect(await Promise.all([ask('a'), ask('a'), ask('b')])).toEqual([1, 1, 2]);
  pass(99);
  expect([await ask('a'), calls()]).toEqual([1, 2]);
  pass(1);
  expect([await ask('a'), calls()]).toEqual([3, 3]);
  expect(await ask('nothing')).toBeNull();
  pass(10);
  await ask('nothing');
  expect(calls()).toBe(5);
});

test('a failure is not kept, and the oldest result goes when there are too many', async () => {
  const { ask, calls } = counting(2);
  await expect(ask('a', true)).rejects.toThrow('no');
  expect(await ask('a')).toBe(2);
  await ask('b');
  await ask('c');
  expect([await ask('c'), await ask('b'), calls()]).toEqual([4, 3, 4]);
  expect(await ask('a')).toBe(5);
});
