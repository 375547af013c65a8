import * as z from 'zod';
import { Timestamp } from '../contract/common/common.ts';

export const MAX_SESSIONS = 100;
const DAY_MS = 86_400_000;
/** A session that is not used for this long ends. */
export const SESSION_DAYS = 30;

const StoredSession = z.object({
  id: z.string().regex(/^[0-9a-f]{16}$/),
  hash: z.string().regex(/^[\w-]{43}$/),
  /** The token that opened the session; its revocation ends the session. null: the dashboard of this machine's user. */
  tokenId: z.string().min(1).nullable(),
  browser: z.string().max(60),
  createdAt: Timestamp,
  lastUsedAt: Timestamp,
});

/** The file of sessions, `sessions.json`. */
export const SessionsFile = z.object({ sessions: z.array(StoredSession) });

export interface SessionRecord extends z.infer<typeof StoredSession> {
  /** Whether it outlives the daemon: the window's does not. */
  readonly kept: boolean;
}

export function fileOf(sessions: readonly SessionRecord[]): z.infer<typeof SessionsFile> {
  return { sessions: sessions.filter(({ kept }) => kept).map((session) => StoredSession.parse(session)) };
}

export function expiryOf({ lastUsedAt }: Pick<SessionRecord, 'lastUsedAt'>): Date {
  return new Date(Date.parse(lastUsedAt) + SESSION_DAYS * DAY_MS);
}

export function isExpired(session: SessionRecord, now: Date): boolean {
  return session.kept && expiryOf(session) <= now;
}

/**
 * The session after a use. Its time never goes back by less than a day, since a machine without a clock of its own starts
 * in the past; one further in the future comes from a wrong clock, and would make the session last too long.
 */
export function used(session: SessionRecord, now: Date): SessionRecord {
  const aheadMs = Date.parse(session.lastUsedAt) - now.getTime();
  return aheadMs > 0 && aheadMs < DAY_MS ? session : { ...session, lastUsedAt: now.toISOString() };
}
