import { rm } from 'node:fs/promises';
import * as z from 'zod';
import { Timestamp } from '../contract/common/common.ts';
import { Mutex } from '../shared/async/mutex.ts';
import type { Now } from '../shared/clock.ts';
import { readPastRecords, writeJsonFile } from '../shared/files/json-file.ts';
import type { Logger } from '../shared/logger.ts';
import { findBySecret, hashOf, newSecret } from './secret.ts';

/** The path of the sign-in address. */
export const SIGN_IN_PATH = '/sign-in';

const MAX_CODES = 8;
/** How long a code of the command `robot-daemon sign-in` is valid. */
export const CODE_MINUTES = 15;

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

/** The one-time codes that sign a browser in: those of this daemon, and the one that the command wrote. */
export class SignInCodes {
  readonly #deps: SignInCodesDeps;
  #own: { readonly hash: string }[] = [];
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
    this.#own = [...this.#own, { hash: hashOf(code) }].slice(-MAX_CODES);
    return code;
  }

  /** Uses a code up. @returns false for one that is unknown, used or too old */
  redeem(code: string): Promise<boolean> {
    return this.#turn.run(async () => this.#redeemOwn(code) || this.#redeemWritten(code));
  }

  #redeemOwn(code: string): boolean {
    const known = findBySecret(this.#own, code);
    this.#own = this.#own.filter((one) => one !== known);
    return known !== null;
  }

  async #redeemWritten(code: string): Promise<boolean> {
    const { file, now, log } = this.#deps;
    const written = await readPastRecords(file, SignInCodeFile, log);
    if (!written || written.hash === this.#spent || findBySecret([written], code) === null) return false;
    // A time in the future is as wrong as one long past.
    if (Math.abs(now().getTime() - Date.parse(written.createdAt)) > CODE_MINUTES * 60_000) return false;
    this.#spent = written.hash;
    await rm(file, { force: true }).catch((error: unknown) => log.error(`${file} cannot be removed`, error));
    return true;
  }
}
