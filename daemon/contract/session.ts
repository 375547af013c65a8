import * as z from 'zod';
import { named, Timestamp } from './common/common.ts';

/** Whether the caller may deploy: a dashboard with its cookie, a program with its token. */
export const Session = named('Session', {
  signedIn: z.boolean(),
  /** The namespaces that it may deploy to; null: all. */
  namespaces: z.array(z.string()).nullable(),
  /** The default namespace. */
  namespace: z.string(),
  /** Whether it is this machine's own user, who may let others in: it is no token, and was not opened with one. */
  isOwnUser: z.boolean(),
});
export type Session = z.infer<typeof Session>;

/** A code that signs a browser in once: typed there, or in the sign-in address. */
export const SignInCode = named('SignInCode', {
  /** `K7QF-2MXP-9TWD` */
  code: z.string(),
  expiresAt: Timestamp,
});
export type SignInCode = z.infer<typeof SignInCode>;

/** A browser, or a window, that is signed in. */
export const DashboardSession = named('DashboardSession', {
  id: z.string(),
  /** Like "Firefox on Linux". */
  browser: z.string(),
  /** The name of the token that opened it; null: the sign-in address. */
  token: z.string().nullable(),
  createdAt: Timestamp,
  lastUsedAt: Timestamp,
  /** When it ends if it is not used before; null: with the daemon. */
  expiresAt: Timestamp.nullable(),
  /** Whether it is the caller's own. */
  isCurrent: z.boolean(),
});
export type DashboardSession = z.infer<typeof DashboardSession>;
