import * as z from 'zod';
import { DashboardSession, Session } from '../session.ts';
import { at, badBody, badPath, type Operation, refused, unauthorized } from './operation.ts';

/** The number of sessions that were ended. */
const Ended = z.object({ ended: z.int() });

/** The dashboard's session, which may deploy once it is signed in. */
export const sessionOperations = {
  getSession: {
    ...at('GET /api/session'),
    summary: 'Whether the caller may deploy',
    success: { status: 200, schema: Session },
  },
  signIn: {
    ...at('PUT /api/session'),
    summary: 'Sign in with a token of this daemon; sets a cookie that is valid until it is unused for 30 days',
    body: z.strictObject({ token: z.string().min(1).max(500) }),
    success: { status: 200, schema: Session },
    refusals: { 400: badBody, 401: refused('The token is unknown') },
  },
  signOut: {
    ...at('DELETE /api/session'),
    summary: 'Sign out',
    saves: true,
    success: { status: 200, schema: Session },
  },
  listSessions: {
    ...at('GET /api/sessions'),
    summary:
      'The signed-in browsers, last used first; for one that signed in with a token of some namespaces: those of that token',
    caller: 'owner',
    success: { status: 200, schema: z.array(DashboardSession) },
    refusals: { 401: unauthorized },
  },
  endSession: {
    ...at('DELETE /api/sessions/{sessionId}'),
    summary: 'End a session of that list at once, with its event stream',
    params: z.object({ sessionId: z.string().max(64) }),
    caller: 'owner',
    saves: true,
    success: { status: 200, schema: Ended },
    refusals: { 400: badPath, 401: unauthorized, 404: refused('The session has ended already') },
  },
  endOtherSessions: {
    ...at('DELETE /api/sessions'),
    summary: "End all sessions of that list but the caller's own",
    caller: 'owner',
    saves: true,
    success: { status: 200, schema: Ended },
    refusals: { 401: unauthorized },
  },
} as const satisfies Record<string, Operation>;
