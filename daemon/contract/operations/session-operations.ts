import * as z from 'zod';
import { Session } from '../session.ts';
import { badBody, type Operation, refused } from './operation.ts';

/** The dashboard's session, which may deploy once it is signed in. */
export const sessionOperations = {
  getSession: {
    method: 'GET',
    path: '/api/session',
    summary: 'Whether the caller may deploy',
    success: { status: 200, schema: Session },
  },
  signIn: {
    method: 'PUT',
    path: '/api/session',
    summary: 'Sign in with a token of this daemon; sets a cookie that is valid until the daemon ends',
    body: z.strictObject({ token: z.string().min(1).max(500) }),
    success: { status: 200, schema: Session },
    refusals: { 400: badBody, 401: refused('The token is unknown') },
  },
  signOut: {
    method: 'DELETE',
    path: '/api/session',
    summary: 'Sign out',
    success: { status: 200, schema: Session },
  },
} as const satisfies Record<string, Operation>;
