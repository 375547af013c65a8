import { expect, test } from 'vitest';
import { type Clock, systemClock } from '../../shared/clock.ts';
import { type FakeHub, startFakeHub } from '../fake-hub.ts';
import { movableClock } from '../movable-clock.ts';

const CONTENT = 'x'.repeat(100_000);
const LIST = '/api/spaces';
const FILE = '/spaces/ada/wave/resolve/main/app.py';
const LARGE = '/spaces/ada/wave/resolve/main/model.bin';

async function hubWithASpace(clock: Clock = systemClock): Promise<FakeHub> {
  const hub = await startFakeHub(clock);
  await hub.addSpace({ id: 'ada/wave', files: { 'app.py': CONTENT, 'model.bin': { lfs: Buffer.from(CONTENT) } } });
  return hub;
}

/**
 * The received bytes of an answer, and how it ends.
 * @param mayHangAfter when these bytes have arrived, it waits for the others for 300 ms only
 */
async function arriving(
  { url }: FakeHub,
  path: string,
  { clock = systemClock, mayHangAfter = Number.POSITIVE_INFINITY }: { clock?: Clock; mayHangAfter?: number } = {},
) {
  const ending = new AbortController();
  const { signal } = ending;
  let text = '';
  const took = (more: string) => {
    text += more;
    if (text.length >= mayHangAfter) clock.after(300, () => ending.abort());
  };
  try {
    took('');
    const response = await fetch(url + path, { signal });
    const decoder = new TextDecoder();
    for await (const chunk of response.body ?? []) took(decoder.decode(chunk, { stream: true }));
    return { text, end: 'whole' };
  } catch {
    return { text, end: signal.aborted ? 'waited in vain' : 'broken' };
  }
}

test('a status with retry-after is sent for the given paths, until the hub behaves again', async () => {
  await using hub = await hubWithASpace();
  hub.misbehave({ status: 429, retryAfterS: 7, only: /^\/api\// });
  const { status, headers } = await fetch(hub.url + LIST);
  expect([status, headers.get('retry-after')]).toEqual([429, '7']);
  expect((await fetch(hub.url + FILE)).status).toBe(200);
  hub.misbehave({});
  expect((await fetch(hub.url + LIST)).status).toBe(200);
});

test('an answer is delayed, missing or redirected', async () => {
  const clock = movableClock();
  await using hub = await hubWithASpace(clock);
  hub.misbehave({ delayMs: 300 });
  const asked = clock.elapsedMs();
  expect((await clock.during(fetch(hub.url + LIST))).status).toBe(200);
  expect(clock.elapsedMs() - asked).toBeGreaterThan(290);
  hub.misbehave({ hang: true });
  expect(await clock.during(arriving(hub, LIST, { clock, mayHangAfter: 0 }))).toEqual({
    text: '',
    end: 'waited in vain',
  });
  hub.misbehave({ redirectTo: 'http://elsewhere.invalid/', only: /resolve/ });
  const { status, headers } = await fetch(hub.url + FILE, { redirect: 'manual' });
  expect([status, headers.get('location')]).toEqual([302, 'http://elsewhere.invalid/']);
  expect((await fetch(hub.url + LIST)).status).toBe(200);
});

test.for([FILE, LARGE])('%s is cut off, stalls, arrives slowly or is corrupted', async (path) => {
  const clock = movableClock();
  await using hub = await hubWithASpace(clock);
  hub.misbehave({ stopAfterBytes: 1000 });
  expect(await clock.during(arriving(hub, path))).toEqual({ text: CONTENT.slice(0, 1000), end: 'broken' });
  hub.misbehave({ hangAfterBytes: 1000 });
  expect(await clock.during(arriving(hub, path, { clock, mayHangAfter: 1000 }))).toEqual({
    text: CONTENT.slice(0, 1000),
    end: 'waited in vain',
  });
  hub.misbehave({ bytesPerSecond: 200_000 });
  const asked = clock.elapsedMs();
  expect(await clock.during(arriving(hub, path))).toEqual({ text: CONTENT, end: 'whole' });
  expect(clock.elapsedMs() - asked).toBeGreaterThan(400);
  hub.misbehave({ garbage: true });
  const bytes = await (await fetch(hub.url + path)).bytes();
  expect([bytes.length, bytes.includes(CONTENT.charCodeAt(0))]).toEqual([CONTENT.length, false]);
  expect(await (await fetch(hub.url + LIST)).text()).toMatch(/^<!doctype html>/);
});

test('a clone is cut off when its path is named', async () => {
  await using hub = await hubWithASpace();
  const refs = '/spaces/ada/wave/info/refs?service=git-upload-pack';
  const whole = await arriving(hub, refs);
  hub.misbehave({ stopAfterBytes: 20, only: /info\/refs/ });
  expect(await arriving(hub, refs)).toEqual({ text: whole.text.slice(0, 20), end: 'broken' });
});

test('the hub can be stopped with open requests', async () => {
  const hub = await hubWithASpace();
  hub.misbehave({ hang: true });
  const open = arriving(hub, LIST);
  while (hub.requests.length === 0) await new Promise(setImmediate);
  await hub[Symbol.asyncDispose]();
  expect((await open).end).toBe('broken');
});
