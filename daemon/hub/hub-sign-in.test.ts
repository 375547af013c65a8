import { expect, test, vi } from 'vitest';
import type { HubAccount } from '../contract/apps/store.ts';
import { manualClock } from '../testing/manual-clock.ts';
import { HubError } from './errors.ts';
import { HubSignIn } from './hub-sign-in.ts';

function someHub() {
  const calls: string[] = [];
  const account = (name: string | null): HubAccount => ({ hub: 'https://hub.test', name, problem: null });
  const whoAmI = vi.fn(async (token: string) => {
    calls.push(`who is ${token}?`);
    return { name: 'ada', isReadOnly: false };
  });
  const signIn = new HubSignIn({
    hub: { whoAmI },
    token: {
      read: async () => account(null),
      keep: async (token, name) => {
        calls.push(`keep ${token} of ${name}`);
        return account(name);
      },
      forget: async () => {
        calls.push('forget');
        return account(null);
      },
    },
    store: { accountChanged: async () => void calls.push('read the store again') },
    clock: manualClock(),
  });
  return { signIn, whoAmI, calls };
}

test('a token is stored after the hub has confirmed its account, then the store is refreshed', async () => {
  const { signIn, calls } = someHub();
  expect(await signIn.signIn(' hf_1 \n')).toEqual({ hub: 'https://hub.test', name: 'ada', problem: null });
  expect(calls).toEqual(['who is hf_1?', 'keep hf_1 of ada', 'read the store again']);
  expect((await signIn.signOut()).name).toBeNull();
  expect(calls.slice(3)).toEqual(['forget', 'read the store again']);
});

test('a token that the hub does not accept is refused and not stored; an invalid one is not sent', async () => {
  const { signIn, whoAmI, calls } = someHub();
  whoAmI.mockRejectedValueOnce(new HubError('auth', 'No.'));
  const message = 'This is not a token of the hub.';
  const refusal = (why: string) => ({ message, issues: [{ path: ['token'], message: why }] });
  await expect(signIn.signIn('hf_1')).rejects.toMatchObject(refusal('the hub does not accept it'));
  await expect(signIn.signIn('hf 1')).rejects.toMatchObject(refusal('it contains an invalid character'));
  whoAmI.mockRejectedValueOnce(new HubError('broken', 'The hub is ill.'));
  await expect(signIn.signIn('hf_1')).rejects.toThrow('The hub is ill.');
  expect(whoAmI).toHaveBeenCalledTimes(2);
  expect(calls).toEqual([]);
});
