import { realpath } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/** A repository's folder in the cache of the hub's client: `snapshots/<commit>/…` has links to `blobs/<hash>`. */
const REPOSITORY = /^(?:datasets|models|spaces)--/;
const BLOB = /^[0-9a-f]{40,64}$/;

/**
 * The file that a link leads to, when the folder is a snapshot in a hub's cache, and the file one of the same repository.
 * @param folder absolute, without links
 * @param path of the link, from the folder
 * @returns absolute; null: it is no such link
 */
export async function hubFileAt(folder: string, path: string): Promise<string | null> {
  const repository = repositoryAbove(folder);
  const file = repository === null ? null : await realpath(join(folder, path)).catch(() => null);
  if (repository === null || file === null) return null;
  return dirname(file) === join(repository, 'blobs') && BLOB.test(basename(file)) ? file : null;
}

/** The repository's folder in the cache that has a folder of a snapshot; null: the folder is none. */
function repositoryAbove(folder: string): string | null {
  for (let at = folder; at !== dirname(at); at = dirname(at)) {
    if (basename(at) !== 'snapshots') continue;
    return at !== folder && REPOSITORY.test(basename(dirname(at))) ? dirname(at) : null;
  }
  return null;
}
