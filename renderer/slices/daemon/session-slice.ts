import type { DaemonClient } from '../../../daemon/client/calls.ts';
import type { DashboardSession, Session } from '../../../daemon/contract/session.ts';
import { asDaemonError } from '../../api/daemon-error.ts';
import type { SendCommand } from '../base/commands.ts';
import { type Loaded, load } from '../base/loaded.ts';
import type { GetState, SetState } from '../base/slice.ts';

export interface SessionSlice {
  /** Whether this browser may deploy; null before the first load. */
  readonly session: Loaded<Session> | null;
  readonly loadSession: () => Promise<void>;
  /** Sends the token to the daemon, which sets a cookie; the store does not keep it. */
  readonly openSession: (token: string) => Promise<void>;
  /** Signs this browser out. */
  readonly endSession: () => Promise<void>;
  /** The signed-in browsers, as last loaded. */
  readonly sessions: Loaded<readonly DashboardSession[]> | null;
  readonly loadSessions: () => Promise<void>;
  /** Signs another browser out. */
  readonly endSessionOf: (id: string) => Promise<void>;
  /** Signs all others out. */
  readonly endOtherSessions: () => Promise<void>;
}

export function createSessionSlice(
  set: SetState<SessionSlice>,
  get: GetState<SessionSlice>,
  send: SendCommand,
  daemon: DaemonClient,
): SessionSlice {
  async function change(call: () => Promise<Session>, command: string): Promise<void> {
    await send('session', async () => set({ session: { state: 'loaded', value: await call() } }), command);
  }
  async function endOthers(call: () => Promise<unknown>, command: string): Promise<void> {
    await send('session', () => callSignedIn(get, call), command);
    await get().loadSessions();
  }
  return {
    session: null,
    loadSession: () =>
      load(
        () => daemon.call('getSession'),
        (next) => set(({ session }) => ({ session: next(session) })),
      ),
    openSession: (token) => change(() => daemon.call('signIn', { body: { token } }), 'sign-in'),
    endSession: () => change(() => daemon.call('signOut'), 'sign-out'),
    sessions: null,
    loadSessions: () =>
      load<readonly DashboardSession[]>(
        () => callSignedIn(get, () => daemon.call('listSessions')),
        (next) => set(({ sessions }) => ({ sessions: next(sessions) })),
      ),
    endSessionOf: (id) => endOthers(() => daemon.call('endSession', { params: { sessionId: id } }), `end ${id}`),
    endOtherSessions: () => endOthers(() => daemon.call('endOtherSessions'), 'end others'),
  };
}

/**
 * Makes a call that needs a session. On 401 it loads the session again, so that the page asks to sign in, and rethrows.
 */
export async function callSignedIn<T>(get: GetState<SessionSlice>, call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (asDaemonError(error).status === 401) await get().loadSession();
    throw error;
  }
}

/** null until the session is loaded. */
export const isSignedIn = ({ session }: SessionSlice): boolean | null => session?.value?.signedIn ?? null;

/** The default namespace of new endpoints. */
export const namespaceOf = ({ session }: SessionSlice): string => session?.value?.namespace ?? '';
