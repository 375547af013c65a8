import { createHash, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import type { HubFile } from '../../hub/repository-files.ts';

export type Change =
  | { readonly change: 'added' | 'changed'; readonly path: string; readonly bytes: number; readonly local: LocalFile }
  | { readonly change: 'removed'; readonly path: string; readonly bytes: number; readonly local: null };

/** The hub's own file, which says what it stores as large files: it stays where the folder has none. */
export const ATTRIBUTES = '.gitattributes';
/** The files of a Space that the hub has just created. */
const ofNewSpaces = new Set([ATTRIBUTES, 'README.md']);

/** Lists how a folder differs from a Space, in the order of paths. */
export async function changesBetween(
  local: readonly LocalFile[],
  remote: readonly HubFile[],
  signal: AbortSignal,
): Promise<Change[]> {
  const published = new Map(remote.map((file) => [file.path, file]));
  const changes: Change[] = [];
  for (const file of local) {
    const earlier = published.get(file.path);
    published.delete(file.path);
    const { path, bytes } = file;
    if (!earlier) changes.push({ change: 'added', path, bytes, local: file });
    else if (!(await isSameContent(file, earlier, signal)))
      changes.push({ change: 'changed', path, bytes, local: file });
  }
  for (const { path, size } of published.values()) {
    if (path !== ATTRIBUTES) changes.push({ change: 'removed', path, bytes: size, local: null });
  }
  return changes.sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** Whether a Space has only what the hub creates with it. */
export const isNewSpace = (remote: readonly HubFile[]) => remote.every(({ path }) => ofNewSpaces.has(path));

/**
 * The files of a Space that were changed after a commit, and that a publication would overwrite or remove.
 * @param before the Space's files at that commit; null: unknown, so that every file may have been changed
 */
export function overwritten(
  changes: readonly Change[],
  now: readonly HubFile[],
  before: readonly HubFile[] | null,
): string[] {
  const key = ({ size, sha256, oid }: HubFile) => `${size} ${sha256 ?? oid}`;
  const earlier = new Map(before?.map((file) => [file.path, key(file)]));
  const current = new Map(now.map((file) => [file.path, key(file)]));
  return changes.map(({ path }) => path).filter((path) => current.get(path) !== earlier.get(path));
}

export interface LocalFile {
  /** From the app's folder, with slashes. */
  readonly path: string;
  readonly bytes: number;
  readonly isExecutable: boolean;
  /** The published content: the file at an absolute path, or this content in place of it. */
  readonly content: Uint8Array<ArrayBuffer> | { readonly file: string };
}

/** Whether a file has the content of the Space's, which is known by its size and hash: no download is needed. */
async function isSameContent(local: LocalFile, remote: HubFile, signal: AbortSignal): Promise<boolean> {
  if (local.bytes !== remote.size) return false;
  if (remote.sha256 !== null) return remote.sha256 === (await digest(local, createHash('sha256'), signal));
  const gitBlob = createHash('sha1').update(`blob ${local.bytes}\0`);
  return remote.oid === (await digest(local, gitBlob, signal));
}

async function digest({ content }: LocalFile, hash: Hash, signal: AbortSignal): Promise<string> {
  if (content instanceof Uint8Array) return hash.update(content).digest('hex');
  for await (const chunk of createReadStream(content.file, { signal })) hash.update(chunk);
  signal.throwIfAborted();
  return hash.digest('hex');
}

const LARGE = /\bfilter=lfs\b/;

/**
 * The `.gitattributes` to publish: the folder's own, with the lines that the hub added to the Space's for large files.
 * @param published of the Space; empty: it has none
 */
export function attributesToPublish(own: string, published: string): string {
  const lines = new Set(own.split(/\r?\n/));
  const added = published.split(/\r?\n/).filter((line) => LARGE.test(line) && !lines.has(line));
  const end = own === '' || own.endsWith('\n') ? '' : '\n';
  return added.length === 0 ? own : `${own}${end}${added.join('\n')}\n`;
}
