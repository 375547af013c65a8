import { rm } from 'node:fs/promises';
import * as z from 'zod';
import { Timestamp } from '../contract/common/common.ts';
import type { SignInCode } from '../contract/session.ts';
import { Mutex } from '../shared/async/mutex.ts';
import type { Now } from '../shared/clock.ts';
import { readPastRecords, writeJsonFile } from '../shared/files/json-file.ts';
import type { Logger } from '../shared/logger.ts';
import { findBySecret, hashOf, newSecret, newTypedCode } from './secret.ts';

/** The path of the sign-in address. */
export const SIGN_IN_PATH = '/sign-in';

const MAX_CODES = 8;
/** How long a code of the command `robot-daemon sign-in`, or of a dashboard, is valid. */
export const CODE_MINUTES = 15;
const CODE_MS = CODE_MINUTES * 60_000;

/** The file with the newest code of the command, `sign-in-code.json`. */
export const SignInCodeFile = z.object({ hash: z.string().regex(/^[\w-]{43}$/), createdAt: Timestamp });

/**
 * Creates a code for the daemon on the data folder; the one before it becomes invalid. Only a user who may write in the
 * data folder can do so, which a request over loopback could not prove.
 * @throws DiskFull, DataFolderReadOnly
 */
export async function writeSignInCode(file: string, now: Date): Promise<string> {
  const code = newSecret();
  await writeJsonFile(file, { hash: hashOf(code), createdAt: now.toISOString() });
  return code;
}

interface SignInCodesDeps {
  readonly file: string;
  readonly now: Now;
  readonly log: Pick<Logger, 'error'>;
}

/** A code of this daemon. */
interface OwnCode {
  readonly hash: string;
  /** null: it is valid until the daemon ends. */
  readonly expiresAtMs: number | null;
  /** The id of the session that shows it, with whose end it ends; null: none does. */
  readonly sessionId: string | null;
}

/** The one-time codes that sign a browser in: those of this daemon, and the one that the command wrote. */
export class SignInCodes {
  readonly #deps: SignInCodesDeps;
  #own: readonly OwnCode[] = [];
  /** Of the file, in case that it cannot be removed. */
  #spent = '';
  /** Of two requests with one code, one is refused. */
  readonly #turn = new Mutex();

  constructor(deps: SignInCodesDeps) {
    this.#deps = deps;
  }

  /** @returns a code that is valid until it is used or the daemon ends. Of more than 8, the oldest becomes invalid. */
  newCode(): string {
    const code = newSecret();
    this.#add({ hash: hashOf(code), expiresAtMs: null, sessionId: null });
    return code;
  }

  /**
   * A code that a person can type, valid for 15 minutes. The one that the session had before becomes invalid.
   * @param sessionId of the session that shows it; null: none does
   */
  newTypedCode(sessionId: string | null): SignInCode {
    const code = newTypedCode();
    const expiresAtMs = this.#deps.now().getTime() + CODE_MS;
    if (sessionId !== null) this.forget([sessionId]);
    this.#add({ hash: hashOf(asTyped(code)), expiresAtMs, sessionId });
    return { code, expiresAt: new Date(expiresAtMs).toISOString() };
  }

  /** Makes the codes invalid that ended sessions have shown. */
  forget(sessionIds: readonly string[]): void {
    this.#own = this.#own.filter(({ sessionId }) => sessionId === null || !sessionIds.includes(sessionId));
  }

  /** Makes every code invalid, also the one of the command. */
  async forgetAll(): Promise<void> {
    this.#own = [];
    await this.#turn.run(() => rm(this.#deps.file, { force: true }));
  }

  #add(code: OwnCode): void {
    this.#own = [...this.#own, code].slice(-MAX_CODES);
  }

  /** Uses a code up. @returns false for one that is unknown, used or too old */
  redeem(code: string): Promise<boolean> {
    return this.#turn.run(async () => this.#redeemOwn(code) || this.#redeemWritten(code));
  }

  #redeemOwn(code: string): boolean {
    const known = findBySecret(this.#own, code) ?? findBySecret(this.#own, asTyped(code));
    this.#own = this.#own.filter((one) => one !== known);
    if (known === null || known.expiresAtMs === null) return known !== null;
    const leftMs = known.expiresAtMs - this.#deps.now().getTime();
    return leftMs > 0 && leftMs <= CODE_MS; // else the clock was set
  }

  async #redeemWritten(code: string): Promise<boolean> {
    const { file, now, log } = this.#deps;
    const written = await readPastRecords(file, SignInCodeFile, log);
    if (!written || written.hash === this.#spent || findBySecret([written], code) === null) return false;
    // A time in the future is as wrong as one long past.
    if (Math.abs(now().getTime() - Date.parse(written.createdAt)) > CODE_MS) return false;
    this.#spent = written.hash;
    await rm(file, { force: true }).catch((error: unknown) => log.error(`${file} cannot be removed`, error));
    return true;
  }
}

/** A typed code without what does not matter in it: spaces, hyphens, and whether letters are small. */
const asTyped = (code: string): string => code.replace(/[\s-]/g, '').toUpperCase();
