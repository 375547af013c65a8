import { readlink, realpath } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';

/** A repository's folder in the cache of the hub's client: `snapshots/<commit>/…` has links to `blobs/<hash>`. */
const REPOSITORY = /^(?:datasets|models|spaces)--/;
const BLOB = /^[0-9a-f]{40,64}$/;

/** @param path of a link, from the folder. @returns the absolute path of its file; null: it leads to none of the repository */
type FindHubFile = (path: string) => Promise<string | null>;

/**
 * Finds the files in a hub's cache that links of a folder lead to: in a snapshot of the cache, those of its own repository; in
 * any other folder, such as one that was downloaded with `--local-dir`, those of one repository, that of the first link.
 * Such a link names the hash of its file, or of its commit: nobody can make one to a file that they do not know.
 * @param folder absolute, without links
 */
export function hubFilesOf(folder: string): FindHubFile {
  let repository = repositoryAbove(folder);
  return async (path) => {
    const file = await realpath(join(folder, path)).catch(() => null);
    const found = file === null ? null : repositoryOf(file);
    repository ??= found;
    return found !== null && found === repository ? file : null;
  };
}

/** The repository's folder in the cache that has a blob; null: the file is none. */
function repositoryOf(file: string): string | null {
  const [blobs, repository] = [dirname(file), dirname(dirname(file))];
  return BLOB.test(basename(file)) && basename(blobs) === 'blobs' && REPOSITORY.test(basename(repository))
    ? repository
    : null;
}

/** The repository's folder in the cache that has a folder of a snapshot; null: the folder is none. */
function repositoryAbove(folder: string): string | null {
  for (let at = folder; at !== dirname(at); at = dirname(at)) {
    if (basename(at) !== 'snapshots') continue;
    return at !== folder && REPOSITORY.test(basename(dirname(at))) ? dirname(at) : null;
  }
  return null;
}

/** Whether a link leads out of a folder: by its text, or by where it ends. @param path of the link, from the folder */
export async function leadsOutside(folder: string, path: string): Promise<boolean> {
  const link = join(folder, path);
  const says = resolve(dirname(link), await readlink(link).catch(() => ''));
  const ends = await realpath(link).catch(() => null);
  return isOutside(folder, says) || (ends !== null && isOutside(folder, ends));
}

/** Both absolute, links resolved. */
export function isOutside(folder: string, path: string): boolean {
  const inside = relative(folder, path);
  return inside === '..' || inside.startsWith(`..${sep}`) || isAbsolute(inside);
}
