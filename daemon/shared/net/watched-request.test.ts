import { beforeEach, expect, test } from 'vitest';
import { type ManualClock, manualClock } from '../../testing/manual-clock.ts';
import { sleepOn } from '../clock.ts';
import { watchedRequest } from './watched-request.ts';

let clock: ManualClock;
beforeEach(() => {
  clock = manualClock();
});

const errors = {
  silent: (ms: number) => new Error(`silent for ${ms} ms`),
  tooLong: () => new Error('too long'),
  failed: (error: unknown) => new Error('failed', { cause: error }),
};
const never = new AbortController().signal;

/** Moves the clock until some work is over. */
async function whilePassing<T>(work: Promise<T>): Promise<T> {
  let isOver = false;
  const over = () => {
    isOver = true;
  };
  work.then(over, over);
  while (!isOver) await clock.advance(10);
  return work;
}

/** A response whose chunks arrive after the given waits; it ends with the request. */
function answer(pieces: readonly (readonly [afterMs: number, bytes: number])[], ending: AbortSignal): Response {
  const stream = new ReadableStream<Uint8Array>({
    async start(controller) {
      ending.addEventListener('abort', () => {
        try {
          controller.error(ending.reason);
        } catch {
          // it was over
        }
      });
      for (const [afterMs, bytes] of pieces) {
        await sleepOn(clock, afterMs);
        if (ending.aborted) return;
        controller.enqueue(new Uint8Array(bytes));
      }
      controller.close();
    },
  });
  return new Response(stream);
}
interface Reading {
  readonly stallMs?: number;
  readonly maxBytes?: number;
  readonly progressBytes?: number;
  readonly readerMs?: number;
}
const lengthOf = (...read: Parameters<typeof readAll>) => whilePassing(readAll(...read));
async function readAll(pieces: Parameters<typeof answer>[0], watch: Reading) {
  const { stallMs = 200, maxBytes = 1e9, progressBytes = 1_000, readerMs = 0 } = watch;
  let ending = never;
  const { body } = await watchedRequest(
    clock,
    async (signal) => {
      ending = signal;
      return answer(pieces, signal);
    },
    { signal: never, answerMs: 1_000, stallMs, progressBytes, maxBytes, errors },
  );
  let length = 0;
  try {
    for await (const piece of body) {
      length += piece.length;
      await sleepOn(clock, readerMs);
    }
  } finally {
    expect(ending.aborted).toBe(true); // nothing is left open, however it ended
  }
  return length;
}

test('a steady body is passed on, though it takes longer than the stall limit in total', async () => {
  expect(await lengthOf(Array(5).fill([80, 2_000]), {})).toBe(10_000);
});

test('a slow reader does not count as a stall', async () => {
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

test('no data for too long is a stall, and so are single bytes now and then', async () => {
  await expect(
    lengthOf(
      [
        [0, 5_000],
        [1_000, 5_000],
      ],
      {},
    ),
  ).rejects.toThrow('silent for 200 ms');
  await expect(lengthOf(Array(20).fill([50, 1]), {})).rejects.toThrow('silent for 200 ms');
});

test('a body above the maximum size is refused', async () => {
  await expect(
    lengthOf(
      [
        [0, 100],
        [0, 1],
      ],
      { maxBytes: 100 },
    ),
  ).rejects.toThrow('too long');
  expect(await lengthOf([[0, 100]], { maxBytes: 100 })).toBe(100);
});

test('the caller sets how many bytes count as progress', async () => {
  expect(await lengthOf(Array(20).fill([20, 1]), { progressBytes: 1 })).toBe(20);
});

const hanging = (signal: AbortSignal) =>
  new Promise<Response>((_, reject) => {
    const end = () => reject(signal.reason);
    if (signal.aborted) end();
    signal.addEventListener('abort', end);
  });
const watch = { signal: never, answerMs: 50, stallMs: 50, progressBytes: 1, maxBytes: 1, errors };

test('a response that does not begin is silent', async () => {
  await expect(whilePassing(watchedRequest(clock, hanging, watch))).rejects.toThrow('silent for 50 ms');
});

test('an aborted request throws the reason of its signal, a failed one the mapped error', async () => {
  const reason = new Error('enough');
  await expect(watchedRequest(clock, hanging, { ...watch, signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  const broken = new TypeError('fetch failed');
  const refused = watchedRequest(clock, () => Promise.reject(broken), watch);
  await expect(refused).rejects.toMatchObject({ message: 'failed', cause: broken });
});
