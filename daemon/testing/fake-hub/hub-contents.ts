import type { IncomingMessage } from 'node:http';
import { forbidden, notSignedIn, Refusal, repoNotFound } from './refusal.ts';
import { LargeFiles } from './repository/large-files.ts';
import { type NewFiles, type RepositoryFolder, Space, type SpaceFacts } from './space.ts';

export interface Account {
  readonly name: string;
  readonly role: 'read' | 'write';
}

/** The hub's spaces, files and accounts, with their permissions. */
export class HubContents {
  readonly largeFiles = new LargeFiles();
  readonly accounts = new Map<string, Account>();
  readonly #spaces = new Map<string, Space>();
  readonly #folder: RepositoryFolder;

  constructor(folder: RepositoryFolder) {
    this.#folder = folder;
  }

  add(facts: SpaceFacts, files: NewFiles): Space {
    const space = new Space(facts, files, this.#folder);
    this.#spaces.set(facts.id, space);
    return space;
  }

  get(id: string): Space | undefined {
    return this.#spaces.get(id);
  }

  remove(id: string): void {
    this.#spaces.delete(id);
  }

  /** The account of a request; null without credentials. @throws Refusal for an unknown token */
  accountOf(request: IncomingMessage): Account | null {
    const { authorization } = request.headers;
    if (authorization === undefined) return null;
    const [scheme = '', credentials = ''] = authorization.split(' ');
    const basic = Buffer.from(credentials, 'base64').toString();
    const token = scheme.toLowerCase() === 'basic' ? basic.slice(basic.indexOf(':') + 1) : credentials;
    const account = this.accounts.get(token);
    if (!account) throw new Refusal(401, 'Invalid credentials in Authorization header');
    return account;
  }

  /** The spaces that an account may read. */
  visibleTo(account: Account | null): Space[] {
    return [...this.#spaces.values()].filter((space) => mayRead(account, space));
  }

  /** @throws Refusal when the space does not exist or the caller may not read it */
  readable(id: string, request: IncomingMessage): Space {
    const account = this.accountOf(request);
    const space = this.#spaces.get(id);
    if (!space || !mayRead(account, space)) throw repoNotFound(account !== null);
    return space;
  }

  /** @throws Refusal when the caller may not change the space */
  writable(id: string, request: IncomingMessage): { space: Space; account: Account } {
    const account = this.accountOf(request);
    if (!account) throw notSignedIn();
    const space = this.readable(id, request);
    this.needWrite(account, space.owner);
    return { space, account };
  }

  needWrite(account: Account, owner: string): void {
    if (account.role !== 'write' || account.name !== owner) {
      throw forbidden(`You don't have the rights to write to the namespace "${owner}"`);
    }
  }
}

const mayRead = (account: Account | null, space: Space) => !space.facts.private || account?.name === space.owner;
