import type { DaemonClient } from '../../../daemon/client/calls.ts';
import type { Session } from '../../../daemon/contract/session.ts';
import { asDaemonError } from '../../api/daemon-error.ts';
import { type AnswersSlice, type Ask, answered, answerId } from '../base/answers.ts';
import type { GetState } from '../base/slice.ts';

/** Names the question whether this browser may deploy. */
export const sessionKey = ['session'];
export const askSession: Ask<Session> = (call) => call('getSession');

export type SessionSlice = ReturnType<typeof createSessionSlice>;

export const createSessionSlice = (get: GetState<AnswersSlice>) => ({
  loadSession: () => get().ask(answerId(sessionKey), askSession),
});

/** Calls the daemon. Where a session is needed and has ended, the page then knows that before the call fails, and asks to sign in. */
export function createCall(get: GetState<SessionSlice>, daemon: DaemonClient): DaemonClient['call'] {
  return async (name, ...input) => {
    try {
      return await daemon.call(name, ...input);
    } catch (error) {
      if (asDaemonError(error).status === 401 && name !== 'getSession' && name !== 'signIn') await get().loadSession();
      throw error;
    }
  };
}

const sessionOf = answered<Session>(sessionKey);

/** null until the session is loaded. */
export const isSignedIn = (slice: AnswersSlice): boolean | null => sessionOf(slice)?.signedIn ?? null;

/** Whether this browser may let others in, with a code or a token; null until the session is loaded. */
export const isOwnUser = (slice: AnswersSlice): boolean | null => sessionOf(slice)?.isOwnUser ?? null;

/** The default namespace of new endpoints. */
export const namespaceOf = (slice: AnswersSlice): string => sessionOf(slice)?.namespace ?? '';
