import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { inflate } from 'node:zlib';
import { type CommitChange, signature } from './commit-change.ts';
import { git } from './git.ts';
import { type LargeFile, parsePointer } from './large-files.ts';
import { pushCheck } from './push-check.ts';

export interface TreeEntry {
  readonly type: 'file' | 'directory';
  readonly path: string;
  readonly oid: string;
  /** The size of the content, not of a large file's pointer. */
  readonly size: number;
  readonly lfs?: LargeFile & { readonly pointerSize: number };
}

export interface LastCommit {
  readonly id: string;
  readonly title: string;
  readonly date: string;
}

/** Every pointer is shorter. */
const MAX_POINTER_BYTES = 200;

const SETTINGS = `[core]
repositoryformatversion = 0
filemode = true
bare = true
[uploadpack]
allowAnySHA1InWant = true
allowFilter = true
[gc]
auto = 0
[receive]
autogc = false
`;

/** A real bare repository, driven by git's plumbing commands. */
export class BareRepository {
  readonly dir: string;
  readonly #trees = new Map<string, Promise<readonly TreeEntry[]>>();

  constructor(dir: string) {
    this.dir = dir;
  }

  /** Creates an empty repository with the hub's settings: the files that `git init --bare` would make. */
  static async create(dir: string): Promise<BareRepository> {
    await mkdir(join(dir, 'objects'), { recursive: true });
    await mkdir(join(dir, 'refs', 'heads'), { recursive: true });
    await writeFile(join(dir, 'HEAD'), 'ref: refs/heads/main\n');
    await writeFile(join(dir, 'config'), SETTINGS);
    await mkdir(join(dir, 'hooks'));
    await writeFile(join(dir, 'hooks', 'pre-receive'), pushCheck, { mode: 0o755 });
    return new BareRepository(dir);
  }

  /**
   * @param parent null: the first commit
   * @returns the commit's id
   * @throws Error when the parent is not the branch's newest commit
   */
  async commit(branch: string, parent: string | null, change: CommitChange): Promise<string> {
    const who = signature(change);
    const parts = [`commit refs/heads/${branch}\nmark :1\nauthor ${who}\ncommitter ${who}\n`, data(change.message)];
    if (parent) parts.push(`from ${parent}\n`);
    for (const [path, bytes] of change.files) {
      if (bytes) parts.push(`M 100644 inline ${quoted(path)}\n`, data(bytes));
      else parts.push(`D ${quoted(path)}\n`);
    }
    parts.push('\nget-mark :1\ndone\n');
    const input = Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part)));
    return (await git(this.dir, ['fast-import', '--quiet', '--done'], input)).toString().trim();
  }

  /** @returns the id of the commit that a branch, tag or id names, or null */
  async commitOf(revision: string): Promise<string | null> {
    if (this.#trees.has(revision) || (await this.#looseObject(revision))?.type === 'commit') return revision;
    if (!/^\w[\w./-]*$/.test(revision) || revision.includes('..')) return null;
    // Most requests name the branch, and starting git takes longer than the rest of the answer.
    const branch = revision === 'main' ? 'refs/heads/main' : revision;
    const id = branch.startsWith('refs/heads/') ? await readFile(join(this.dir, branch), 'utf8').catch(() => '') : '';
    if (/^[0-9a-f]{40}\n$/.test(id)) return id.trim();
    const found = git(this.dir, ['rev-parse', '--verify', '--quiet', `${revision}^{commit}`]);
    return found.then(
      (id) => id.toString().trim(),
      () => null,
    );
  }

  /** Lists the files and folders of a commit, with their full paths. */
  tree(commit: string): Promise<readonly TreeEntry[]> {
    const known = this.#trees.get(commit);
    if (known) return known;
    const tree = this.#readTree(commit);
    this.#trees.set(commit, tree);
    return tree;
  }

  async blob(oid: string): Promise<Buffer> {
    return (await this.#looseObject(oid))?.content ?? git(this.dir, ['cat-file', 'blob', oid]);
  }

  /** @returns a file's content in git, such as a pointer; or null */
  async file(commit: string, path: string): Promise<Buffer | null> {
    const entry = (await this.tree(commit)).find((one) => one.path === path && one.type === 'file');
    return entry ? this.blob(entry.oid) : null;
  }

  async lastCommit(commit: string, path: string): Promise<LastCommit> {
    const args = ['log', '-1', '--format=%H%x00%s%x00%cI', commit, '--', `:(literal)${path}`];
    const [id = '', title = '', date = ''] = (await git(this.dir, args)).toString().trim().split('\0');
    return { id, title, date: new Date(date).toISOString() };
  }

  /** The titles of a branch's commits, the newest first. */
  async titles(branch: string): Promise<string[]> {
    return (await git(this.dir, ['log', '--format=%s', branch])).toString().trim().split('\n');
  }

  async #readTree(commit: string): Promise<readonly TreeEntry[]> {
    const listing = (await git(this.dir, ['ls-tree', '-r', '-t', '-z', '-l', commit])).toString();
    const entries: TreeEntry[] = [];
    for (const [, type, oid = '', size = '', path = ''] of listing.matchAll(/\d+ (\w+) (\w+) +([\d-]+)\t([^\0]+)\0/g)) {
      if (type === 'tree') entries.push({ type: 'directory', path, oid, size: 0 });
      if (type === 'blob') entries.push({ type: 'file', path, oid, size: Number(size) });
    }
    return Promise.all(
      entries.map(async (entry) => {
        if (entry.type === 'directory' || entry.size > MAX_POINTER_BYTES) return entry;
        const large = parsePointer(await this.blob(entry.oid));
        return large ? { ...entry, size: large.size, lfs: { ...large, pointerSize: entry.size } } : entry;
      }),
    );
  }

  /** Reads an object from its own file, without starting git. @returns null when it is in a pack, or there is none */
  async #looseObject(oid: string): Promise<{ readonly type: string; readonly content: Buffer } | null> {
    if (!/^[0-9a-f]{40}$/.test(oid)) return null;
    const file = join(this.dir, 'objects', oid.slice(0, 2), oid.slice(2));
    const packed = await readFile(file).catch(() => null);
    if (!packed) return null;
    const object = await promisify(inflate)(packed);
    const end = object.indexOf(0); // of the head, such as "blob 12"
    return { type: object.toString('utf8', 0, object.indexOf(' ')), content: object.subarray(end + 1) };
  }
}

const data = (content: string | Buffer) => {
  const bytes = Buffer.from(content);
  return Buffer.concat([Buffer.from(`data ${bytes.length}\n`), bytes, Buffer.from('\n')]);
};

const quoted = (path: string) => `"${path.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')}"`;
