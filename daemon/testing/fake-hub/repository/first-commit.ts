/** Computes git's ids, so that a list of six hundred spaces needs no six hundred repositories. */
import { createHash } from 'node:crypto';
import { type CommitChange, signature } from './commit-change.ts';

/** @returns the id of a commit with this change and no parent */
export function firstCommitId(change: CommitChange): string {
  const root: Folder = new Map();
  for (const [path, bytes] of change.files) if (bytes) put(root, path.split('/'), bytes);
  const who = signature(change);
  const text = `tree ${treeId(root)}\nauthor ${who}\ncommitter ${who}\n\n${change.message}`;
  return objectId('commit', Buffer.from(text));
}

type Folder = Map<string, Folder | Buffer>;

function put(folder: Folder, [name = '', ...rest]: readonly string[], bytes: Buffer): void {
  if (rest.length === 0) {
    folder.set(name, bytes);
    return;
  }
  const inner = folder.get(name);
  const child: Folder = inner instanceof Map ? inner : new Map();
  folder.set(name, child);
  put(child, rest, bytes);
}

function treeId(folder: Folder): string {
  // git sorts a folder as if its name ended in a slash.
  const entries = [...folder].map(([name, node]) => ({
    sortKey: Buffer.from(node instanceof Map ? `${name}/` : name),
    head: node instanceof Map ? `40000 ${name}\0` : `100644 ${name}\0`,
    id: node instanceof Map ? treeId(node) : objectId('blob', node),
  }));
  entries.sort((a, b) => Buffer.compare(a.sortKey, b.sortKey));
  return objectId(
    'tree',
    Buffer.concat(entries.flatMap(({ head, id }) => [Buffer.from(head), Buffer.from(id, 'hex')])),
  );
}

const objectId = (type: string, body: Buffer) =>
  createHash('sha1').update(`${type} ${body.length}\0`).update(body).digest('hex');
