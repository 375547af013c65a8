import type { HubFile } from '../../../hub/repository-files.ts';
import { isSameContent, type LocalFile } from './local-file.ts';

/** A difference between the folder and the Space. */
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
