import { randomBytes } from 'node:crypto';
import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import * as z from 'zod';
import { Timestamp } from '../contract/common/common.ts';
import { Namespace } from '../contract/endpoints/endpoint.ts';
import { TokenName, TokenScope } from '../contract/tokens.ts';
import { Mutex } from '../shared/async/mutex.ts';
import type { Now } from '../shared/clock.ts';
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

/** The form that earlier versions created: it names no namespace, and so allows nothing. */
const OlderScope = z.string().regex(/^endpoint:[a-z0-9-]{1,32}$/);

const StoredToken = z.object({
  id: z.string().min(1),
  name: TokenName,
  hash: z.string().regex(/^[\w-]{43}$/),
  scopes: z.array(z.union([TokenScope, OlderScope])).min(1),
  namespaces: z.array(Namespace).min(1).nullable(),
  createdAt: Timestamp,
  /** Whether a command of the terminal lent it to itself, for the time of its work. */
  ofTerminal: z.literal(true).optional(),
});
type StoredToken = z.infer<typeof StoredToken>;

/** The file of tokens, `tokens.json`. */
export const TokensFile = z.object({ tokens: z.array(StoredToken) });

/** A token without its text or its hash. */
export type AccessToken = Omit<StoredToken, 'hash'>;

export interface TokenRequest {
  /** null: a name is generated. */
  readonly name: string | null;
  readonly scopes: readonly string[];
  /** The namespaces that it may deploy to; null: all. */
  readonly namespaces: readonly string[] | null;
  /** Whether a command of the terminal lends it to itself. Default: false. */
  readonly ofTerminal?: boolean;
}

interface AccessTokensOptions {
  readonly log: Pick<Logger, 'error'>;
  readonly now: Now;
  /** Called with the id of a token that is used, unless a command has lent it to itself. */
  readonly onUse?: (id: string) => void;
  readonly readFile?: typeof readJsonFile;
}

const MAX_TOKENS = 1_000;
/** The longest wait for another process that changes the file. */
const LOCK_TIMEOUT_MS = 10_000;

/**
 * The access tokens: they allow what is not open to every program of this machine. A token is shown once; a file that
 * several processes share keeps its hash. A change in one process applies in the others at once.
 */
export class AccessTokens {
  readonly #file: string;
  readonly #now: Now;
  readonly #log: Pick<Logger, 'error'>;
  #read: { readonly version: string; readonly tokens: readonly StoredToken[] } = { version: '', tokens: [] };
  #loggedVersion = '';
  /** Lets the changes of this process wait for each other, so that only other processes take up the limit of the lock. */
  readonly #turn = new Mutex();
  readonly #onUse: (id: string) => void;
  readonly #readFile: typeof readJsonFile;

  constructor(file: string, { log, now, onUse = () => {}, readFile = readJsonFile }: AccessTokensOptions) {
    this.#file = file;
    this.#log = log;
    this.#now = now;
    this.#onUse = onUse;
    this.#readFile = readFile;
  }

  /**
   * @returns the token and its text, which cannot be read again
   * @throws TokenNameTaken, TooManyTokens, TokensUnreadable, TokensUnwritable, TokensBusy
   */
  async create(request: TokenRequest): Promise<{ text: string; token: AccessToken }> {
    const { name, scopes, namespaces, ofTerminal = false } = request;
    await mkdir(dirname(this.#file), { recursive: true, mode: 0o700 }).catch((error: Error) => {
      throw new TokensUnwritable(this.#file, error);
    });
    const text = newSecret('rd_');
    const token = await this.#change((tokens) => {
      if (tokens.length >= MAX_TOKENS) throw new TooManyTokens(MAX_TOKENS);
      if (tokens.some((one) => one.name === name)) throw new TokenNameTaken(String(name));
      const made = StoredToken.parse({
        id: randomBytes(8).toString('hex'),
        name: name ?? unusedName(tokens),
        hash: hashOf(text),
        scopes: z.array(TokenScope).parse([...new Set(scopes)]),
        namespaces: namespaces && [...new Set(namespaces)],
        createdAt: this.#now().toISOString(),
        ...(ofTerminal && { ofTerminal }),
      });
      return [[...tokens, made], made];
    });
    return { text, token: withoutHash(token) };
  }

  /** Revokes a token at once. @throws TokenNotFound, TokensUnreadable, TokensUnwritable, TokensBusy */
  async revoke(nameOrId: string): Promise<AccessToken> {
    this.#named(await this.#load(), nameOrId); // writes nothing for an unknown token
    const token = await this.#change((tokens) => {
      const ended = this.#named(tokens, nameOrId);
      return [tokens.filter((one) => one !== ended), ended];
    });
    return withoutHash(token);
  }

  /** Oldest first. @throws TokensUnreadable */
  async list(): Promise<AccessToken[]> {
    return (await this.#load()).map(withoutHash);
  }

  /** A use of a token. @returns null for an unknown one */
  async verify(text: string): Promise<AccessToken | null> {
    return this.#used(findBySecret(await this.#valid(), text));
  }

  /** The same for a token whose text was verified before: by a session that it opened. @returns null for a revoked token */
  async use(id: string): Promise<AccessToken | null> {
    return this.#used(await this.#withId(id));
  }

  /** No use of it. @returns null for a revoked token */
  async get(id: string): Promise<AccessToken | null> {
    const found = await this.#withId(id);
    return found && withoutHash(found);
  }

  async #withId(id: string): Promise<StoredToken | null> {
    return (await this.#valid()).find((token) => token.id === id) ?? null;
  }

  #used(token: StoredToken | null): AccessToken | null {
    if (token && !token.ofTerminal) this.#onUse(token.id);
    return token && withoutHash(token);
  }

  #named(tokens: readonly StoredToken[], nameOrId: string): StoredToken {
    const found = tokens.find(({ name }) => name === nameOrId) ?? tokens.find(({ id }) => id === nameOrId);
    if (!found) throw new TokenNotFound(nameOrId);
    return found;
  }

  /** The tokens valid now; none while the file cannot be read. */
  async #valid(): Promise<readonly StoredToken[]> {
    const version = await versionOf(this.#file); // read before the file: a concurrent change shows at the next call
    if (version === this.#read.version) return this.#read.tokens;
    try {
      this.#read = { version, tokens: await this.#load() };
      return this.#read.tokens;
    } catch (error) {
      if (this.#loggedVersion !== version) this.#log.error((error as Error).message);
      this.#loggedVersion = version;
      return []; // the next call tries again
    }
  }

  async #load(): Promise<readonly StoredToken[]> {
    try {
      return (await this.#readFile(this.#file, TokensFile))?.tokens ?? [];
    } catch (error) {
      throw new TokensUnreadable(this.#file, error as Error);
    }
  }

  /** Reads, changes and writes the file under a lock between processes. */
  async #change<T>(change: (tokens: readonly StoredToken[]) => [StoredToken[], T]): Promise<T> {
    return this.#turn.run(async () => {
      try {
        const lock = await fileLockWithin(LOCK_TIMEOUT_MS, `${this.#file}.lock`);
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
    });
  }
}

function withoutHash({ id, name, scopes, namespaces, createdAt, ofTerminal }: StoredToken): AccessToken {
  return { id, name, scopes, namespaces, createdAt, ofTerminal };
}

function unusedName(tokens: readonly StoredToken[]): string {
  let number = 1;
  while (tokens.some(({ name }) => name === `token-${number}`)) number += 1;
  return `token-${number}`;
}

/** A text that changes with each write of the file. */
async function versionOf(file: string): Promise<string> {
  try {
    const { ino, size, mtimeNs, ctimeNs } = await stat(file, { bigint: true });
    return `${ino} ${size} ${mtimeNs} ${ctimeNs}`;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? 'unknown';
  }
}
