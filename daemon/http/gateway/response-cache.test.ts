import type { ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { AnswerRecording } from './kept-answer.ts';
import { type CacheTerms, ResponseCache, type ResponseCacheDeps } from './response-cache.ts';

const KB = 1_024;
const MINUTE_MS = 60_000;

function cacheOf(bounds: Partial<ResponseCacheDeps['bounds']> = {}) {
  const terms = new Map<string, CacheTerms | null>();
  const clock = { ms: 1 };
  const cache = new ResponseCache({
    termsOf: ({ name }) => (terms.has(name) ? (terms.get(name) ?? null) : { version: '1', isSettled: true }),
    elapsedMs: () => clock.ms,
    bounds: { keptBytes: 64 * KB, arrivingBytes: 64 * KB, ...bounds },
  });
  const ask = (path: string, name = 'chat', namespace = 'lab') =>
    cache.find({ namespace, name }, { method: 'GET', headers: {} }, path, null);
  /** Has a model server answer a request with a body, without its end. */
  const answering = async (path: string, body: string, name = 'chat') => {
    const recording = await ask(path, name);
    if (!(recording instanceof AnswerRecording)) throw new Error('There is an answer, or none is kept.');
    const response = { getHeader: () => undefined } as unknown as ServerResponse;
    recording.head(200, response, { 'content-length': String(body.length) });
    recording.data(Buffer.from(body));
    return recording;
  };
  const answered = async (path: string, body: string, name?: string) => {
    const recording = await answering(path, body, name);
    recording.keep();
    recording.drop();
  };
  const found = async (path: string, name?: string, namespace?: string) => {
    const answer = await ask(path, name, namespace);
    return answer instanceof AnswerRecording ? null : (answer?.body.toString() ?? null);
  };
  return { cache, terms, clock, ask, answering, answered, found };
}

test('an answer is kept for an hour from the last time that it was sent', async () => {
  const { clock, answered, found } = cacheOf();
  await answered('/a', 'A');
  for (let hour = 0; hour < 3; hour++) {
    clock.ms += 60 * MINUTE_MS;
    expect(await found('/a')).toBe('A');
  }
  clock.ms += 60 * MINUTE_MS + 1;
  expect(await found('/a')).toBeNull();
});

test('the memory is bounded: the answer that was not asked for the longest time goes first', async () => {
  const { cache, answered, found } = cacheOf({ keptBytes: 10 * KB });
  for (const name of ['a', 'b', 'c']) await answered(`/${name}`, name.repeat(2 * KB));
  expect(cache.bytes).toEqual({ kept: 9 * KB, arriving: 0 });
  expect(await found('/a')).toHaveLength(2 * KB);
  await answered('/d', 'd'.repeat(2 * KB));
  expect(await Promise.all(['/a', '/b', '/c', '/d'].map(async (path) => (await found(path)) !== null))).toEqual([
    ...[true, false, true, true],
  ]);
  await answered('/e', 'e'.repeat(9 * KB)); // with its overhead, the most that there is room for
  expect(cache.bytes.kept).toBe(10 * KB);
  await answered('/f', 'f'.repeat(10 * KB));
  expect([await found('/f'), cache.bytes.kept]).toEqual([null, 10 * KB]);
});

test('answers that arrive have bounded memory too: one that finds no room is not kept, and those before it are', async () => {
  const { cache, answering, found } = cacheOf({ arrivingBytes: 10 * KB });
  const [first, second] = [await answering('/1', 'x'.repeat(8 * KB)), await answering('/2', 'y'.repeat(8 * KB))];
  expect(cache.bytes.arriving).toBe(8 * KB + 256);
  for (const recording of [first, second]) {
    recording.keep();
    recording.drop();
    recording.drop();
  }
  expect([(await found('/1'))?.length, await found('/2'), cache.bytes.arriving]).toEqual([8 * KB, null, 0]);
});

test('an answer in many small pieces takes no more memory than there is', async () => {
  const { cache, answering, found } = cacheOf({ arrivingBytes: 10 * KB });
  const recording = await answering('/', '');
  for (let piece = 0; piece < 1_000; piece++) recording.data(Buffer.from('x'));
  expect(cache.bytes.arriving).toBe(0);
  recording.keep();
  expect(await found('/')).toBeNull();
});

test('a change of the settings forgets the answers of that endpoint only', async () => {
  const { cache, terms, answered, found } = cacheOf();
  await answered('/', 'old');
  await answered('/', 'of another', 'other');
  terms.set('chat', { version: '1', isSettled: false }); // such as a change of its scaling
  cache.endpointChanged({ namespace: 'lab', name: 'chat' });
  terms.set('chat', { version: '1', isSettled: true });
  expect(await found('/')).toBe('old');
  terms.set('chat', { version: '2', isSettled: true });
  cache.endpointChanged({ namespace: 'lab', name: 'chat' });
  expect([await found('/'), await found('/', 'other')]).toEqual([null, 'of another']);
  terms.set('chat', { version: '1', isSettled: true });
  expect(await found('/')).toBeNull(); // also with the settings from before
});

test('nothing is left of an endpoint that is gone, paused or no longer cached', async () => {
  const { cache, terms, answered, ask, found } = cacheOf();
  await answered('/', 'old');
  terms.set('chat', null);
  expect(await ask('/')).toBeNull();
  cache.endpointChanged({ namespace: 'lab', name: 'chat' });
  expect(cache.bytes.kept).toBe(0);
  terms.delete('chat');
  expect(await found('/')).toBeNull();
});

test.each<[string, CacheTerms | null]>([
  ['that changed', { version: '2', isSettled: true }],
  ['whose update goes on', { version: '1', isSettled: false }],
  ['that is gone', null],
])('an answer of an endpoint %s in the meantime is not kept', async (_what, later) => {
  const { cache, terms, answering, found } = cacheOf();
  const recording = await answering('/', 'of the earlier replica');
  terms.set('chat', later);
  recording.keep();
  expect(cache.bytes.kept).toBe(0);
  terms.delete('chat');
  expect(await found('/')).toBeNull();
});

test('while replicas of earlier settings may serve, the cache takes no part', async () => {
  const { terms, ask } = cacheOf();
  terms.set('chat', { version: '2', isSettled: false });
  expect(await ask('/')).toBeNull();
});

test('endpoints of two namespaces with one name have answers of their own', async () => {
  const { cache, terms, answered, found } = cacheOf();
  await answered('/a', 'of lab');
  expect(await found('/a', 'chat', 'home')).toBeNull();
  terms.set('chat', { version: '2', isSettled: true });
  cache.endpointChanged({ namespace: 'home', name: 'chat' });
  terms.delete('chat');
  expect(await found('/a')).toBe('of lab');
});
