import type { DaemonClient } from '../../../daemon/client/calls.ts';
import type { DaemonError } from '../../../daemon/client/daemon-error.ts';
import type { Session } from '../../../daemon/contract/session.ts';
import { asDaemonError } from '../../api/daemon-error.ts';
import { type Loaded, load } from '../../store/loaded.ts';
import type { SetState } from '../../store/slice.ts';

export interface SessionSlice {
  /** Whether this browser may deploy; null: nobody has asked yet. */
  readonly session: Loaded<Session> | null;
  /** A sign-in or a sign-out was asked for and not answered yet. */
  readonly sessionAsked: boolean;
  readonly sessionRefusal: DaemonError | null;
  readonly loadSession: () => Promise<void>;
  /** The token goes to the daemon and is not kept here: a cookie stands for it. */
  readonly openSession: (token: string) => Promise<void>;
  readonly endSession: () => Promise<void>;
  readonly forgetSessionRefusal: () => void;
}

export function createSessionSlice(set: SetState<SessionSlice>, daemon: DaemonClient): SessionSlice {
  async function ask(call: () => Promise<Session>): Promise<void> {
    set({ sessionAsked: true, sessionRefusal: null });
    try {
      set({ session: { state: 'loaded', value: await call() } });
    } catch (error) {
      set({ sessionRefusal: asDaemonError(error) });
    } finally {
      set({ sessionAsked: false });
    }
  }
  return {
    session: null,
    sessionAsked: false,
    sessionRefusal: null,
    loadSession: () =>
      load(
        () => daemon.call('getSession'),
        (next) => set(({ session }) => ({ session: next(session) })),
      ),
    openSession: (token) => ask(() => daemon.call('signIn', { body: { token } })),
    endSession: () => ask(() => daemon.call('signOut')),
    forgetSessionRefusal: () => set({ sessionRefusal: null }),
  };
}

/** As the daemon said last; null: not known yet. */
export const isSignedIn = ({ session }: SessionSlice): boolean | null => session?.value?.signedIn ?? null;

/** Where endpoints are made unless it is said. */
export const namespaceOf = ({ session }: SessionSlice): string => session?.value?.namespace ?? '';
