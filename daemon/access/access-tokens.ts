import { randomBytes } from 'node:crypto';
import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import * as z from 'zod';
import { Timestamp } from '../contract/common/common.ts';
import { Namespace } from '../contract/endpoints/endpoint.ts';
import { type Now, systemNow } from '../shared/clock.ts';
import { DomainError } from '../shared/domain-error.ts';
import { fileLockWithin } from '../shared/files/file-lock.ts';
import { readJsonFile, writeJsonFile } from '../shared/files/json-file.ts';
import type { Logger } from '../shared/logger.ts';
import {
  TokenNameTaken,
  TokenNotFound,
  TokensBusy,
  TokensUnreadable,
  TokensUnwritable,
  TooManyTokens,
} from './errors.ts';
import { findBySecret, hashOf, newSecret } from './secret.ts';

/** What a token is good for: deploying, the daemon from another machine, or the one endpoint that is named. */
export const TokenScope = z.string().regex(/^(?:deploy|daemon|endpoint:[a-z0-9-]{1,32})$/);

export const TokenName = z.string().regex(/^[A-Za-z0-9][\w.@-]{0,63}$/);

const KeptToken = z.object({
  id: z.string().min(1),
  name: TokenName,
  hash: z.string().regex(/^[\w-]{43}$/),
  scopes: z.array(TokenScope).min(1),
  namespaces: z.array(Namespace).min(1).nullable(),
  createdAt: Timestamp,
});
type KeptToken = z.infer<typeof KeptToken>;

/** The file of tokens, `tokens.json`. */
export const TokensFile = z.object({ tokens: z.array(KeptToken) });

/** What is known of a token; its text is known to its owner alone. */
export type AccessToken = Omit<KeptToken, 'hash'>;

export interface TokenRequest {
  /** null: one is found. */
  readonly name: string | null;
  readonly scopes: readonly string[];
  /** Where it may deploy; null: everywhere. */
  readonly namespaces: readonly string[] | null;
}

const MAX_TOKENS = 1_000;
/** Another process has written a few lines before this, or hangs. */
const LOCKED_WITHIN_MS = 10_000;

/**
 * Who may use this daemon beyond what is open to every program of this machine: tokens, shown once and kept as hashes
 * in a file that several processes share. What one of them changes counts in the others at once.
 */
export class AccessTokens {
  readonly #file: string;
  readonly #now: Now;
  readonly #log: Pick<Logger, 'error'>;
  #read: { readonly version: string; readonly tokens: readonly KeptToken[] } = { version: '', tokens: [] };
  #saidOf = '';

  constructor(file: string, { log, now = systemNow }: { readonly log: Pick<Logger, 'error'>; readonly now?: Now }) {
    this.#file = file;
    this.#log = log;
    this.#now = now;
  }

  /**
   * @returns the token's text, which cannot be had again, and what is known of it
   * @throws TokenNameTaken, TooManyTokens, TokensUnreadable, TokensUnwritable, TokensBusy
   */
  async create({ name, scopes, namespaces }: TokenRequest): Promise<{ text: string; token: AccessToken }> {
    await mkdir(dirname(this.#file), { recursive: true, mode: 0o700 }).catch((error: Error) => {
      throw new TokensUnwritable(this.#file, error);
    });
    const text = newSecret('rd_');
    const token = await this.#change((tokens) => {
      if (tokens.length >= MAX_TOKENS) throw new TooManyTokens(MAX_TOKENS);
      if (tokens.some((one) => one.name === name)) throw new TokenNameTaken(String(name));
      const made = KeptToken.parse({
        id: randomBytes(8).toString('hex'),
        name: name ?? unusedName(tokens),
        hash: hashOf(text),
        scopes: [...new Set(scopes)],
        namespaces: namespaces && [...new Set(namespaces)],
        createdAt: this.#now().toISOString(),
      });
      return [[...tokens, made], made];
    });
    return { text, token: known(token) };
  }

  /** Ends a token at once. @throws TokenNotFound, TokensUnreadable, TokensUnwritable, TokensBusy */
  async revoke(nameOrId: string): Promise<AccessToken> {
    this.#named(await this.#load(), nameOrId); // nothing is written where there is nothing to end
    const token = await this.#change((tokens) => {
      const ended = this.#named(tokens, nameOrId);
      return [tokens.filter((one) => one !== ended), ended];
    });
    return known(token);
  }

  /** Oldest first. @throws TokensUnreadable */
  async list(): Promise<AccessToken[]> {
    return (await this.#load()).map(known);
  }

  /** @returns null for a text that is no token here */
  async verify(text: string): Promise<AccessToken | null> {
    const found = findBySecret(await this.#valid(), text);
    return found && known(found);
  }

  /** @returns null when it was revoked */
  async get(id: string): Promise<AccessToken | null> {
    const found = (await this.#valid()).find((token) => token.id === id);
    return found ? known(found) : null;
  }

  #named(tokens: readonly KeptToken[], nameOrId: string): KeptToken {
    const found = tokens.find(({ name }) => name === nameOrId) ?? tokens.find(({ id }) => id === nameOrId);
    if (!found) throw new TokenNotFound(nameOrId);
    return found;
  }

  /** Those that let somebody in now: none while the file cannot be read. */
  async #valid(): Promise<readonly KeptToken[]> {
    const version = await versionOf(this.#file); // before it is read: a change meanwhile is seen the next time
    if (version === this.#read.version) return this.#read.tokens;
    try {
      this.#read = { version, tokens: await this.#load() };
      return this.#read.tokens;
    } catch (error) {
      if (this.#saidOf !== version) this.#log.error((error as Error).message);
      this.#saidOf = version;
      return []; // what could not be read may be readable the next time
    }
  }

  async #load(): Promise<readonly KeptToken[]> {
    try {
      return (await readJsonFile(this.#file, TokensFile))?.tokens ?? [];
    } catch (error) {
      throw new TokensUnreadable(this.#file, error as Error);
    }
  }

  /** Reads, changes and writes, with no other process in between. */
  async #change<T>(change: (tokens: readonly KeptToken[]) => [KeptToken[], T]): Promise<T> {
    try {
      const lock = await fileLockWithin(LOCKED_WITHIN_MS, `${this.#file}.lock`);
      if (!lock) throw new TokensBusy();
      try {
        const [tokens, result] = change(await this.#load());
        await writeJsonFile(this.#file, { tokens });
        return result;
      } finally {
        lock.release();
      }
    } catch (error) {
      throw error instanceof DomainError ? error : new TokensUnwritable(this.#file, error as Error);
    }
  }
}

function known({ id, name, scopes, namespaces, createdAt }: KeptToken): AccessToken {
  return { id, name, scopes, namespaces, createdAt };
}

function unusedName(tokens: readonly KeptToken[]): string {
  let number = 1;
  while (tokens.some(({ name }) => name === `token-${number}`)) number += 1;
  return `token-${number}`;
}

/** Changes whenever the file does: each write makes a new one. */
async function versionOf(file: string): Promise<string> {
  try {
    const { ino, size, mtimeNs, ctimeNs } = await stat(file, { bigint: true });
    return `${ino} ${size} ${mtimeNs} ${ctimeNs}`;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? 'unknown';
  }
}
