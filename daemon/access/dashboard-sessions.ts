import { randomBytes } from 'node:crypto';
import * as z from 'zod';
import { Timestamp } from '../contract/common/common.ts';
import type { DashboardSession, SignInCode } from '../contract/session.ts';
import type { Now } from '../shared/clock.ts';
import { readPastRecords, writeJsonFile } from '../shared/files/json-file.ts';
import type { Logger } from '../shared/logger.ts';
import type { AccessTokens } from './access-tokens.ts';
import { WINDOW_NAME } from './browser-name.ts';
import { type Caller, DASHBOARD, mayDeploy } from './caller.ts';
import { InvalidToken, SessionNotFound } from './errors.ts';
import { findBySecret, hashOf, newSecret } from './secret.ts';
import { SignInCodes } from './sign-in-codes.ts';

const MAX_SESSIONS = 100;
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

interface SessionRecord extends z.infer<typeof StoredSession> {
  /** Whether it outlives the daemon: the window's does not. */
  readonly kept: boolean;
}

function expiryOf({ lastUsedAt }: Pick<SessionRecord, 'lastUsedAt'>): Date {
  return new Date(Date.parse(lastUsedAt) + SESSION_DAYS * DAY_MS);
}

function isExpired(session: SessionRecord, now: Date): boolean {
  return session.kept && expiryOf(session) <= now;
}

/**
 * The session after a use. Its time never goes back by less than a day, since a machine without a clock of its own starts
 * in the past; one further in the future comes from a wrong clock, and would make the session last too long.
 */
function used(session: SessionRecord, now: Date): SessionRecord {
  const aheadMs = Date.parse(session.lastUsedAt) - now.getTime();
  return aheadMs > 0 && aheadMs < DAY_MS ? session : { ...session, lastUsedAt: now.toISOString() };
}

/** A use is saved when the last saved one is older. */
const SAVE_EVERY_MS = 60 * 60_000;

/** The caller for the dashboard of this machine's own user. */
const dashboard: Caller = {
  kind: 'session',
  id: DASHBOARD,
  name: 'dashboard',
  scopes: ['deploy'],
  namespaces: null,
};

interface DashboardSessionsDeps {
  readonly tokens: Pick<AccessTokens, 'verify' | 'use' | 'get'>;
  /** `sessions.json` and `sign-in-code.json`. */
  readonly files: { readonly sessions: string; readonly code: string };
  readonly now: Now;
  readonly log: Pick<Logger, 'error' | 'warn'>;
  /** Called when a session has ended, however it did. */
  readonly onEnded: (id: string) => void;
}

/**
 * The dashboard sessions that may deploy. A one-time code, a token or the desktop program opens one; its secret
 * identifies it, and a file keeps the hash for the next daemon. One that is unused for 30 days ends.
 */
export class DashboardSessions {
  readonly #deps: DashboardSessionsDeps;
  readonly #codes: SignInCodes;
  /** Least recently used first. */
  #sessions: readonly SessionRecord[] = [];
  #savedAtMs = 0;

  constructor(deps: DashboardSessionsDeps) {
    this.#deps = deps;
    this.#codes = new SignInCodes({ ...deps, file: deps.files.code });
  }

  /** Reads the sessions of the daemons before this one; sets a damaged file aside, and then every browser signs in again. */
  async load(): Promise<void> {
    const { files, now, log } = this.#deps;
    const stored = (await readPastRecords(files.sessions, SessionsFile, log))?.sessions ?? [];
    const kept = stored.map((one) => ({ ...one, kept: true })).filter((one) => !isExpired(one, now()));
    this.#sessions = [...kept, ...this.#sessions].slice(-MAX_SESSIONS);
  }

  /** @returns a one-time code for a session. Of more than 8 unused codes, the oldest becomes invalid. */
  newCode(): string {
    return this.#codes.newCode();
  }

  /**
   * @param secret of the session of the dashboard that shows it, with whose end the code becomes invalid; null: none does
   * @returns a one-time code that a person can type
   */
  newTypedCode(secret: string | null): SignInCode {
    const session = secret === null ? null : findBySecret(this.#sessions, secret);
    return this.#codes.newTypedCode(session?.id ?? null);
  }

  /** @returns the secret of a new session; null for a used, expired or unknown code */
  async exchange(code: string, browser: string): Promise<string | null> {
    return (await this.#codes.redeem(code)) ? this.#openKept(null, browser) : null;
  }

  /** Opens a session of the desktop program's own window, which ends with the daemon. @returns its secret */
  open(): string {
    return this.#add({ tokenId: null, browser: WINDOW_NAME, kept: false });
  }

  /** @returns the secret of a session with the token's permissions. @throws InvalidToken */
  async openWithToken(text: string, browser: string): Promise<string> {
    const token = await this.#deps.tokens.verify(text);
    if (!token || !mayDeploy(token)) throw new InvalidToken();
    return this.#openKept(token.id, browser);
  }

  /** @returns null for an ended session or a revoked token */
  async callerOf(secret: string): Promise<Caller | null> {
    return (await this.#use(secret))?.caller ?? null;
  }

  /** @returns the session's id, and whether it outlives the daemon; null as of `callerOf` */
  async sessionOf(secret: string): Promise<Pick<SessionRecord, 'id' | 'kept'> | null> {
    return (await this.#use(secret))?.session ?? null;
  }

  /** The sessions that the caller may end, last used first. @param secret of the caller's own session; null: none */
  async list(caller: Caller, secret: string | null): Promise<DashboardSession[]> {
    const own = secret === null ? null : findBySecret(this.#sessions, secret);
    const listed = await Promise.all(
      this.#of(caller).map(async (session): Promise<DashboardSession | null> => {
        const token = session.tokenId === null ? null : await this.#deps.tokens.get(session.tokenId);
        if (session.tokenId !== null && token === null) return null; // revoked
        const { id, browser, createdAt, lastUsedAt, kept } = session;
        const expiresAt = kept ? expiryOf(session).toISOString() : null;
        return { id, browser, token: token?.name ?? null, createdAt, lastUsedAt, expiresAt, isCurrent: id === own?.id };
      }),
    );
    return listed.filter((each) => each !== null).reverse();
  }

  /** Ends one session at once. @throws StorageError if it is not saved, so that the next daemon accepts it again */
  async end(secret: string): Promise<void> {
    const ended = findBySecret(this.#sessions, secret);
    await this.#end(ended ? [ended] : []);
  }

  /** Ends a session of the list. @throws SessionNotFound, StorageError as of `end` */
  async endById(id: string, caller: Caller): Promise<void> {
    const ended = this.#of(caller).find((one) => one.id === id);
    if (!ended) throw new SessionNotFound();
    await this.#end([ended]);
  }

  /**
   * Ends all sessions of the list but the caller's own, and makes the codes for new ones invalid.
   * @returns how many. @throws StorageError as of `end`, or the system's error
   */
  async endOthers(caller: Caller, secret: string | null): Promise<number> {
    const own = secret === null ? null : findBySecret(this.#sessions, secret);
    const ended = this.#of(caller).filter((one) => one !== own);
    try {
      await this.#end(ended);
    } finally {
      // A code that nobody has used yet would sign somebody in afterwards, also where the end cannot be saved.
      if (caller.namespaces === null) await this.#codes.forgetAll();
    }
    return ended.length;
  }

  /** Ends the sessions that a revoked token has opened, whose pages then know it at once. */
  async endOfToken(tokenId: string): Promise<void> {
    const opened = this.#sessions.filter((one) => one.tokenId === tokenId);
    await this.#end(opened).catch(() => {}); // without its token, a session is refused all the same
  }

  /**
   * Ends sessions that have expired, and reports those whose token was revoked.
   * @param watching the ids of sessions whose page is open, which counts as a use
   */
  async sweep(watching: ReadonlySet<string>): Promise<void> {
    const now = this.#deps.now();
    for (const session of this.#sessions) {
      if (!watching.has(session.id)) continue;
      if (session.tokenId !== null && !(await this.#deps.tokens.use(session.tokenId))) this.#deps.onEnded(session.id);
      else if (!isExpired(session, now)) this.#touch(session, now);
    }
    const expired = this.#sessions.filter((one) => isExpired(one, now));
    if (expired.length > 0) await this.#end(expired).catch(() => {}); // an expired one is refused all the same
  }

  /** Those that the caller may see and end: all, or those of its own token if that is limited to namespaces. */
  #of({ id, namespaces }: Caller): readonly SessionRecord[] {
    return namespaces === null ? this.#sessions : this.#sessions.filter(({ tokenId }) => tokenId === id);
  }

  async #use(secret: string): Promise<{ readonly session: SessionRecord; readonly caller: Caller } | null> {
    const { tokens, now } = this.#deps;
    const session = findBySecret(this.#sessions, secret);
    if (!session) return null;
    if (isExpired(session, now())) {
      await this.#end([session]).catch(() => {});
      return null;
    }
    const token = session.tokenId === null ? null : await tokens.use(session.tokenId);
    if (session.tokenId !== null && token === null) return null;
    this.#touch(session, now());
    const own: Caller = session.kept ? dashboard : { ...dashboard, isWindow: true };
    return { session, caller: token ? { kind: 'session', ...token } : own };
  }

  #touch({ id }: SessionRecord, now: Date): void {
    const session = this.#sessions.find((one) => one.id === id);
    if (!session) return; // it has ended meanwhile
    this.#sessions = [...this.#sessions.filter((one) => one !== session), used(session, now)];
    const sinceMs = now.getTime() - this.#savedAtMs;
    if (session.kept && (sinceMs > SAVE_EVERY_MS || sinceMs < 0)) void this.#trySave();
  }

  async #openKept(tokenId: string | null, browser: string): Promise<string> {
    const secret = this.#add({ tokenId, browser, kept: true });
    await this.#trySave();
    return secret;
  }

  #add(given: Pick<SessionRecord, 'tokenId' | 'browser' | 'kept'>): string {
    const secret = newSecret();
    const at = this.#deps.now().toISOString();
    const id = randomBytes(8).toString('hex');
    const all = [...this.#sessions, { id, hash: hashOf(secret), createdAt: at, lastUsedAt: at, ...given }];
    this.#sessions = all.slice(-MAX_SESSIONS);
    this.#ended(all.slice(0, -MAX_SESSIONS).map((dropped) => dropped.id));
    return secret;
  }

  async #end(ended: readonly SessionRecord[]): Promise<void> {
    const ids = ended.map(({ id }) => id);
    this.#sessions = this.#sessions.filter(({ id }) => !ids.includes(id));
    this.#ended(ids);
    if (ended.some(({ kept }) => kept)) await this.#save();
  }

  #ended(ids: readonly string[]): void {
    this.#codes.forget(ids);
    for (const id of ids) this.#deps.onEnded(id);
  }

  /** Saves what may be lost: the browsers sign in again then. */
  async #trySave(): Promise<void> {
    await this.#save().catch((error: Error) =>
      this.#deps.log.warn(`signed-in browsers cannot be saved: ${error.message}`),
    );
  }

  async #save(): Promise<void> {
    this.#savedAtMs = this.#deps.now().getTime();
    const kept = this.#sessions.filter((session) => session.kept).map((session) => StoredSession.parse(session));
    await writeJsonFile(this.#deps.files.sessions, { sessions: kept });
  }
}
