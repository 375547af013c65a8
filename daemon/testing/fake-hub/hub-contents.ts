import type { IncomingMessage } from 'node:http';
import { HubRepository, type NewFiles, type RepositoryFacts, type RepositoryKind } from './hub-repository.ts';
import { forbidden, gated, notSignedIn, Refusal, repoNotFound } from './refusal.ts';
import { type LargeFile, LargeFiles } from './repository/large-files.ts';

export interface Account {
  readonly name: string;
  readonly role: 'read' | 'write';
  /** The most bytes of one commit to a private repository; absent: no limit. */
  readonly quotaBytes?: number;
}

/** A repository's kind and name. */
export interface RepositoryId {
  readonly kind: RepositoryKind;
  /** owner/name */
  readonly name: string;
}

/** The hub's repositories, files and accounts, with their permissions. */
export class HubContents {
  readonly largeFiles = new LargeFiles();
  readonly accounts = new Map<string, Account>();
  readonly #repositories = new Map<string, HubRepository>();
  readonly #root: string;

  constructor(root: string) {
    this.#root = root;
  }

  add(kind: RepositoryKind, facts: RepositoryFacts, files: NewFiles): HubRepository {
    const repository = new HubRepository(kind, facts, files, this.#root);
    this.#repositories.set(keyOf({ kind, name: facts.id }), repository);
    return repository;
  }

  get(id: RepositoryId): HubRepository | undefined {
    return this.#repositories.get(keyOf(id));
  }

  remove(id: RepositoryId): void {
    this.#repositories.delete(keyOf(id));
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

  /** The repositories of a kind that an account may read. */
  visibleTo(account: Account | null, kind: RepositoryKind): HubRepository[] {
    return [...this.#repositories.values()].filter(
      (repository) => repository.kind === kind && mayRead(account, repository),
    );
  }

  /** @throws Refusal when the repository does not exist or the caller may not read it */
  readable(id: RepositoryId, request: IncomingMessage): HubRepository {
    const account = this.accountOf(request);
    const repository = this.get(id);
    if (!repository || !mayRead(account, repository)) throw repoNotFound(account !== null);
    return repository;
  }

  /** @throws Refusal also when the files are restricted to other accounts */
  withReadableFiles(id: RepositoryId, request: IncomingMessage): HubRepository {
    const repository = this.readable(id, request);
    const { gatedTo } = repository.facts;
    const account = this.accountOf(request);
    if (gatedTo && !(account && gatedTo.includes(account.name))) throw gated(id.name, account !== null);
    return repository;
  }

  /** @throws Refusal when the caller may not change the repository */
  writable(id: RepositoryId, request: IncomingMessage): { repository: HubRepository; account: Account } {
    const account = this.accountOf(request);
    if (!account) throw notSignedIn();
    const repository = this.readable(id, request);
    this.needWrite(account, repository.owner);
    return { repository, account };
  }

  /** @throws Refusal when the owner of a private repository may not store that much */
  needRoom({ owner, facts }: HubRepository, files: Iterable<Pick<LargeFile, 'size'> | Buffer | null>): void {
    const limit = [...this.accounts.values()].find(({ name }) => name === owner)?.quotaBytes;
    if (limit === undefined || !facts.private) return;
    let bytes = 0;
    for (const file of files) bytes += Buffer.isBuffer(file) ? file.length : (file?.size ?? 0);
    if (bytes > limit) throw forbidden('Private repository storage limit reached, please upgrade your plan.');
  }

  needWrite(account: Account, owner: string): void {
    if (account.role !== 'write' || account.name !== owner) {
      throw forbidden(`You don't have the rights to write to the namespace "${owner}"`);
    }
  }
}

const keyOf = ({ kind, name }: RepositoryId) => `${kind} ${name}`;

const mayRead = (account: Account | null, { facts, owner }: HubRepository) => !facts.private || account?.name === owner;
