import { expect, test } from 'vitest';
import { memoryRoom } from './replica-usage.ts';

const taking = (...each: readonly (number | null)[]) =>
  each.map((bytes) => ({ replica: { memoryBytes: async () => bytes, countsFiles: false } }));

test.each<[number | null, number | null, readonly (number | null)[]]>([
  [3, 10e9, [3e9]],
  [2, 10e9, [1e9, 4e9, null]],
  [0, 1e9, [4e9]],
  [0, -1, [4e9]],
  [null, null, [4e9]],
  [null, 10e9, []],
  [null, 10e9, [null, 0]],
])('there is room for %s more in %s bytes beside replicas with %j', async (room, availableBytes, each) => {
  expect(await memoryRoom(availableBytes, taking(...each))).toBe(room);
});

test('a figure that may count files says nothing of the room', async () => {
  const replica = { memoryBytes: async () => 4e9, countsFiles: true };
  expect(await memoryRoom(10e9, [{ replica }])).toBeNull();
  expect(await memoryRoom(10e9, [{ replica }, ...taking(1e9)])).toBe(10);
});
