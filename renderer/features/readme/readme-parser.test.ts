import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createReadmeParser, type ParserWorker } from './readme-parser.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function setUp() {
  const terminate = vi.fn<() => void>();
  const postMessage = vi.fn<(markdown: string) => void>();
  const worker: ParserWorker = { onmessage: null, onerror: null, postMessage, terminate };
  const ending = new AbortController();
  const settled = vi.fn();
  createReadmeParser(() => worker)('# a', ending.signal).then(settled, (error: Error) => settled(error.message));
  return { worker, terminate, postMessage, ending, settled };
}

test('a worker parses the README, and ends then', async () => {
  const { worker, terminate, postMessage, settled } = setUp();
  expect(postMessage).toHaveBeenCalledWith('# a');
  worker.onmessage?.({ data: { type: 'root', children: [] } });
  await vi.runAllTimersAsync();
  expect(settled.mock.calls).toEqual([[{ type: 'root', children: [] }]]);
  expect(terminate).toHaveBeenCalledOnce();
});

test('a worker that takes too long is ended', async () => {
  const { terminate, settled } = setUp();
  await vi.advanceTimersByTimeAsync(4_900);
  expect(terminate).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(200);
  expect(settled.mock.calls).toEqual([['The README takes too long to parse.']]);
  expect(terminate).toHaveBeenCalledOnce();
});

test('a worker that fails or cannot be loaded writes nothing to the console', async () => {
  const { worker, terminate, settled } = setUp();
  const preventDefault = vi.fn();
  worker.onerror?.({ preventDefault });
  await vi.runAllTimersAsync();
  expect(settled.mock.calls).toEqual([['The README cannot be parsed.']]);
  expect(preventDefault).toHaveBeenCalledOnce();
  expect(terminate).toHaveBeenCalledOnce();
});

test('nobody hears of a worker whose README is no longer shown', async () => {
  const { terminate, ending, settled } = setUp();
  ending.abort();
  await vi.runAllTimersAsync();
  expect(terminate).toHaveBeenCalledOnce();
  expect(settled).not.toHaveBeenCalled();
});
