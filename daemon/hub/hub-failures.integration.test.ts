/** Requests to a hub that misbehaves, or cannot be reached. */
import { rm } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { dance, errorKindOf, type HubInUse, large, listed, never, startHubInUse } from '../testing/hub-in-use.ts';
import type { HubClient } from './hub-client.ts';

let at: HubInUse;
beforeEach(async () => {
  at = await startHubInUse();
});
afterEach(() => at[Symbol.asyncDispose]());

describe('a hub that', () => {
  const asking = async (from: HubClient) => [
    await errorKindOf(listed(from)),
    await errorKindOf(from.resolve('ada/dance', null, never)),
    await errorKindOf(from.files(dance, at.commit, never)),
  ];
  const all = async (from: HubClient) => [
    ...(await asking(from)),
    await errorKindOf(at.download(from, [{ path: 'pyproject.toml', size: 25, sha256: null }])),
    await errorKindOf(from.readFile(dance, at.commit, 'pyproject.toml', 100, never)),
  ];

  test('is busy gets the request again after its retry-after', async () => {
    at.hub.misbehave({ status: 429, retryAfterS: 60 });
    const resolving = at.client({ retriesMs: 100_000 }).resolve('ada/dance', null, never);
    await vi.waitFor(() => expect(at.hub.requests).toHaveLength(1));
    at.hub.misbehave({});
    await at.clock.pass(30_000);
    expect(at.hub.requests).toHaveLength(1);
    await at.clock.pass(30_000);
    expect((await resolving).commit).toBe(at.commit);
    expect(at.hub.requests).toHaveLength(2);
  });

  test('fails for a moment gets the request again', async () => {
    at.hub.misbehave({ status: 500 });
    const listing = listed(at.client({ retryMs: 60_000, retriesMs: 100_000 }));
    await vi.waitFor(() => expect(at.hub.requests).toHaveLength(1));
    at.hub.misbehave({});
    await at.clock.pass(60_000);
    expect(await listing).toHaveLength(1);
  });

  test('stays busy gets at most three more requests', async () => {
    at.hub.misbehave({ status: 429 });
    const resolving = at.client().resolve('ada/dance', null, never);
    expect(await errorKindOf(at.clock.during(resolving))).toBe('rate-limited');
    expect(at.hub.requests).toHaveLength(4);
  });

  test('has a long retry-after gets no second request', async () => {
    at.hub.misbehave({ status: 429, retryAfterS: 3_600 });
    expect(await errorKindOf(at.client().resolve('ada/dance', null, never))).toBe('rate-limited');
    expect(at.hub.requests).toHaveLength(1);
  });

  test('keeps failing gives an error', async () => {
    at.hub.misbehave({ status: 503 });
    expect(new Set(await all(at.client({ retryMs: 1 })))).toEqual(new Set(['broken']));
  });

  test('is replaced by the page of a captive portal gives an error', async () => {
    at.hub.misbehave({ garbage: true });
    expect(new Set(await asking(at.client()))).toEqual(new Set(['broken']));
  });

  test('sends other bytes of a large file gives an error', async () => {
    const from = at.client();
    const files = await from.files(dance, at.commit, never);
    at.hub.misbehave({ garbage: true });
    expect(
      await errorKindOf(
        at.download(
          from,
          files.filter(({ sha256 }) => sha256 !== null),
        ),
      ),
    ).toBe('broken');
  });

  test('never answers gives an error', async () => {
    at.hub.misbehave({ hang: true });
    expect(new Set(await at.clock.during(all(at.client()), 100))).toEqual(new Set(['stalled']));
  });

  test('stalls in the middle of a file gives an error', async () => {
    const from = at.client();
    at.hub.misbehave({ hangAfterBytes: 100_000 });
    expect(await at.clock.during(errorKindOf(at.download(from)), 100)).toBe('stalled');
  });

  test('closes the connection in the middle of a file gives an error', async () => {
    const from = at.client();
    at.hub.misbehave({ stopAfterBytes: 100_000 });
    expect(await errorKindOf(at.download(from))).toBe('unreachable');
  });

  test('closes the connection in the middle of a list gives an error', async () => {
    at.hub.misbehave({ stopAfterBytes: 20, only: /^\/api\// });
    expect(new Set(await asking(at.client()))).toEqual(new Set(['unreachable']));
  });

  test('redirects to a forbidden address gives an error', async () => {
    for (const redirectTo of [
      'http://localhost:1/x',
      'http://169.254.169.254/x',
      'file:///etc/passwd',
      'https://a:b@example.com/',
    ]) {
      at.hub.misbehave({ redirectTo });
      await rm(at.folder, { recursive: true });
      expect(new Set(await all(at.client()))).toEqual(new Set(['refused-address']));
    }
  });

  test('is unreachable gives an error', async () => {
    const { url } = at.hub;
    await at.hub[Symbol.asyncDispose]();
    expect(new Set(await all(at.client({}, null, url)))).toEqual(new Set(['unreachable']));
  });

  test('is slow is waited for as long as bytes arrive', async () => {
    at.hub.misbehave({ bytesPerSecond: 20_000, only: /main\.py|README/ });
    expect(await at.download(at.client())).toBeGreaterThan(large.length);
  });
});
