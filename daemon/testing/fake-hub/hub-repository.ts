import { createHash, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { Mutex } from '../../shared/async/mutex.ts';
import { systemNow } from '../../shared/clock.ts';
import { cardOf } from './front-matter.ts';
import { revisionNotFound } from './refusal.ts';
import { BareRepository, type TreeEntry } from './repository/bare-repository.ts';
import type { CommitChange } from './repository/commit-change.ts';
import { firstCommitId } from './repository/first-commit.ts';
import { type LargeFile, pointerTo, tracking } from './repository/large-files.ts';

/** The kind of a repository, as the hub's addresses name it. */
export type RepositoryKind = 'space' | 'model';

/** The facts of a new repository that are not in its README. */
export interface RepositoryFacts {
  /** owner/name */
  readonly id: string;
  readonly tags?: readonly string[];
  readonly likes?: number;
  readonly title?: string;
  readonly private?: boolean;
  readonly createdAt?: string;
  readonly lastModified?: string;
  readonly cardData?: object;
  readonly sdk?: string;
  /** Only these accounts may read its files; its description is public. */
  readonly gatedTo?: readonly string[];
}

/** Files by path, large files by their pointer; null removes one. */
export type NewFiles = ReadonlyMap<string, Buffer | LargeFile | null>;

/** A Space or a model: its facts, and its git repository, which is created when first needed. */
export class HubRepository {
  readonly kind: RepositoryKind;
  readonly facts: RepositoryFacts;
  readonly owner: string;
  readonly key: string;
  readonly createdAt: string;
  /** The folder of its git repository; random, so that a deleted one's folder is not reused. */
  readonly directory = `${randomUUID()}.git`;
  readonly #root: string;
  readonly #first: CommitChange;
  #repository: Promise<BareRepository> | null = null;
  readonly #commits = new Mutex();
  #sha: string;
  #card: Record<string, unknown>;
  #lastModified: string;

  /** @param root the folder of all repositories */
  constructor(kind: RepositoryKind, facts: RepositoryFacts, files: NewFiles, root: string) {
    this.kind = kind;
    this.facts = facts;
    this.owner = facts.id.split('/')[0] ?? '';
    this.key = createHash('sha256')
      .update(kind === 'space' ? facts.id : `${kind} ${facts.id}`)
      .digest('hex')
      .slice(0, 24);
    this.createdAt = new Date(facts.createdAt ?? systemNow()).toISOString();
    this.#lastModified = new Date(facts.lastModified ?? this.createdAt).toISOString();
    this.#root = root;
    this.#first = {
      author: this.owner,
      timeS: Math.floor(Date.parse(this.createdAt) / 1000),
      message: 'initial commit',
      files: blobs(files, ''),
    };
    this.#sha = firstCommitId(this.#first);
    this.#card = cardOf(this.#first.files.get('README.md')?.toString());
  }

  get sha(): string {
    return this.#sha;
  }

  get card(): Record<string, unknown> {
    return { ...this.#card, ...this.facts.cardData };
  }

  get lastModified(): string {
    return this.#lastModified;
  }

  repository(): Promise<BareRepository> {
    this.#repository ??= this.#build();
    return this.#repository;
  }

  /** The files of the newest commit; creates no repository. */
  async paths(): Promise<string[]> {
    if (!this.#repository) return [...this.#first.files.keys()].sort();
    const tree = await (await this.#repository).tree(this.#sha);
    return tree.filter(({ type }) => type === 'file').map(({ path }) => path);
  }

  /** @throws Refusal when there is no such branch, tag or commit */
  async tree(revision: string): Promise<{ sha: string; entries: readonly TreeEntry[] }> {
    const repository = await this.repository();
    const sha = await repository.commitOf(revision);
    if (!sha) throw revisionNotFound(revision);
    return { sha, entries: await repository.tree(sha) };
  }

  /** Commits one after the other. @throws Refusal when there is no such branch */
  commit(author: string, message: string, files: NewFiles, branch = 'main'): Promise<string> {
    return this.#commits.run(async () => {
      const repository = await this.repository();
      const parent = await repository.commitOf(`refs/heads/${branch}`);
      if (!parent) throw revisionNotFound(branch);
      const attributes = (await repository.file(parent, '.gitattributes'))?.toString() ?? '';
      const timeS = Math.floor(systemNow().getTime() / 1000);
      const change = { author, timeS, message, files: blobs(files, attributes) };
      const sha = await repository.commit(branch, parent, change);
      await this.refresh();
      return sha;
    });
  }

  /** Reads its facts from its newest commit, after a commit or a push. */
  async refresh(): Promise<void> {
    const repository = await this.repository();
    const sha = await repository.commitOf('refs/heads/main');
    if (!sha || sha === this.#sha) return;
    this.#card = cardOf((await repository.file(sha, 'README.md'))?.toString());
    this.#sha = sha;
    this.#lastModified = systemNow().toISOString();
  }

  async #build(): Promise<BareRepository> {
    const repository = await BareRepository.create(join(this.#root, this.directory));
    const sha = await repository.commit('main', null, this.#first);
    if (sha !== this.#sha) throw new Error(`git calls the first commit of ${this.facts.id} ${sha}, not ${this.#sha}`);
    return repository;
  }
}

/** The contents for git: large files become pointers, with lines in `.gitattributes`. */
function blobs(files: NewFiles, attributes: string): Map<string, Buffer | null> {
  const large = [...files].flatMap(([path, file]) => (file && !Buffer.isBuffer(file) ? [path] : []));
  const all = new Map<string, Buffer | null>();
  for (const [path, file] of files) all.set(path, !file || Buffer.isBuffer(file) ? file : pointerTo(file));
  const given = all.get('.gitattributes')?.toString() ?? attributes;
  if (large.length > 0 && tracking(given, large) !== given) {
    all.set('.gitattributes', Buffer.from(tracking(given, large)));
  }
  return all;
}
