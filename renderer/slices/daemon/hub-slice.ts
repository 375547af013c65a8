import type { DaemonClient } from '../../../daemon/client/calls.ts';
import type { HubAccount } from '../../../daemon/contract/apps/store.ts';
import { type CommandsSlice, type SendCommand, withoutRefusals } from '../base/commands.ts';
import type { Reducers } from '../base/slice.ts';

export interface HubSlice {
  /** null until the first snapshot. */
  readonly hubAccount: HubAccount | null;
  /** Sends the token to the daemon; the store does not keep it. */
  readonly signIn: (token: string) => Promise<unknown>;
  readonly signOut: () => Promise<unknown>;
}

export function createHubSlice(send: SendCommand, daemon: DaemonClient): HubSlice {
  return {
    hubAccount: null,
    signIn: (token) => send('hub', () => daemon.call('signInToHub', { body: { token } })),
    signOut: () => send('hub', () => daemon.call('signOutOfHub')),
  };
}

export const hubReducers: Reducers<HubSlice & CommandsSlice> = {
  snapshot: (_, { snapshot }) => ({ hubAccount: snapshot.hubAccount }),
  'hub-account.changed': (before, { hubAccount }) => ({ hubAccount, ...withoutRefusals(before, 'hub') }),
};
