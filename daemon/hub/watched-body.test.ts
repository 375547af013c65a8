import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { HubTrouble } from './errors.ts';
import { watchedBody } from './watched-body.ts';

/** A body whose pieces come after so many milliseconds each; ends with what the request is ended with. */
function body(pieces: readonly (readonly [afterMs: number, bytes: number])[]) {
  const ending = new AbortController();
  const stream = new ReadableStream<Uint8Array>({
    async start(controller) {
      ending.signal.addEventListener('abort', () => {
        try {
          controller.error(ending.signal.reason);
        } catch {
          // it was over
        }
      });
      for (const [afterMs, bytes] of pieces) {
        await sleep(afterMs);
        if (ending.signal.aborted) return;
        controller.enqueue(new Uint8Array(bytes));
      }
      controller.close();
    },
  });
  return { stream, end: (reason?: unknown) => ending.abort(reason), ending: ending.signal };
}
async function lengthOf(
  pieces: Parameters<typeof body>[0],
  watch: { stallMs?: number; maxBytes?: number; readerMs?: number },
) {
  const { stallMs = 200, maxBytes = 1e9, readerMs = 0 } = watch;
  const { stream, end, ending } = body(pieces);
  let length = 0;
  try {
    for await (const piece of watchedBody(stream, { stallMs, maxBytes, end })) {
      length += piece.length;
      await sleep(readerMs);
    }
  } finally {
    expect(ending.aborted).toBe(true); // nothing is left open, however it ended
  }
  return length;
}

test('what comes on and on is passed on, though all of it takes longer than a stall', async () => {
  expect(await lengthOf(Array(5).fill([80, 2_000]), {})).toBe(10_000);
});

test('a reader that takes its time is no stall', async () => {
  expect(
    await lengthOf(
      [
        [0, 10],
        [0, 10],
        [0, 10],
      ],
      { readerMs: 150 },
    ),
  ).toBe(30);
});

test('nothing for too long is a stall, and so are single bytes now and then', async () => {
  await expect(
    lengthOf(
      [
        [0, 5_000],
        [1_000, 5_000],
      ],
      {},
    ),
  ).rejects.toMatchObject({ kind: 'stalled' });
  await expect(lengthOf(Array(20).fill([50, 1]), {})).rejects.toMatchObject({ kind: 'stalled' });
});

test('more than there may be is not taken', async () => {
  await expect(
    lengthOf(
      [
        [0, 100],
        [0, 1],
      ],
      { maxBytes: 100 },
    ),
  ).rejects.toThrow(HubTrouble);
  expect(await lengthOf([[0, 100]], { maxBytes: 100 })).toBe(100);
});
