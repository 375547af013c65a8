import type { DaemonClient } from '../../../daemon/client/calls.ts';
import type { DaemonError } from '../../../daemon/client/daemon-error.ts';
import type { HubAccount } from '../../../daemon/contract/store.ts';
import { asDaemonError } from '../../api/daemon-error.ts';
import type { Reducers, SetState } from '../../store/slice.ts';

export interface HubSlice {
  /** null until the first snapshot. */
  readonly hubAccount: HubAccount | null;
  /** A sign-in or a sign-out was asked for and not answered yet. */
  readonly hubAsked: boolean;
  readonly hubRefusal: DaemonError | null;
  /** The token goes to the daemon and is not kept here. */
  readonly signIn: (token: string) => Promise<void>;
  readonly signOut: () => Promise<void>;
  readonly forgetHubRefusal: () => void;
}

export function createHubSlice(set: SetState<HubSlice>, daemon: DaemonClient): HubSlice {
  async function ask(call: () => Promise<unknown>): Promise<void> {
    set({ hubAsked: true, hubRefusal: null });
    try {
      await call();
    } catch (error) {
      set({ hubRefusal: asDaemonError(error) });
    } finally {
      set({ hubAsked: false });
    }
  }
  return {
    hubAccount: null,
    hubAsked: false,
    hubRefusal: null,
    signIn: (token) => ask(() => daemon.call('signInToHub', { body: { token } })),
    signOut: () => ask(() => daemon.call('signOutOfHub')),
    forgetHubRefusal: () => set({ hubRefusal: null }),
  };
}

export const hubReducers: Reducers<HubSlice> = {
  snapshot: (_, { snapshot }) => ({ hubAccount: snapshot.hubAccount }),
  'hub-account.changed': (_, { hubAccount }) => ({ hubAccount, hubRefusal: null }),
};
