import * as z from 'zod';
import { named, Timestamp } from './common/common.ts';

/** Whether the caller may deploy: a dashboard with its cookie, a program with its token. */
export const Session = named('Session', {
  signedIn: z.boolean(),
  /** The namespaces that it may deploy to; null: all. */
  namespaces: z.array(z.string()).nullable(),
  /** The default namespace. */
  namespace: z.string(),
});
export type Session = z.infer<typeof Session>;

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
