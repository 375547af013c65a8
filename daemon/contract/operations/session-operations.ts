import * as z from 'zod';
import { DashboardSession, Session } from '../session.ts';
import { at, type Operation, refused } from './operation.ts';

/** The number of sessions that were ended. */
const Ended = z.object({ ended: z.int() });

/** The dashboard's session, which may deploy once it is signed in. */
export const sessionOperations = {
  getSession: {
    ...at('GET /api/session', Session),
    summary: 'Whether the caller may deploy',
  },
  signIn: {
    ...at('PUT /api/session', Session),
    summary: 'Sign in with a token of this daemon; sets a cookie that is valid until it is unused for 30 days',
    body: z.strictObject({ token: z.string().min(1).max(500) }),
    refusals: { 401: refused('The token is unknown') },
  },
  signOut: {
    ...at('DELETE /api/session', Session),
    summary: 'Sign out',
    saves: true,
  },
  listSessions: {
    ...at('GET /api/sessions', z.array(DashboardSession)),
    summary:
      'The signed-in browsers, last used first; for one that signed in with a token of some namespaces: those of that token',
    caller: 'owner',
  },
  endSession: {
    ...at('DELETE /api/sessions/{sessionId}', Ended),
    summary: 'End a session of that list at once, with its event stream',
    params: z.object({ sessionId: z.string().max(64) }),
    caller: 'owner',
    saves: true,
    refusals: { 404: refused('The session has ended already') },
  },
  endOtherSessions: {
    ...at('DELETE /api/sessions', Ended),
    summary: "End all sessions of that list but the caller's own",
    caller: 'owner',
    saves: true,
  },
} as const satisfies Record<string, Operation>;
