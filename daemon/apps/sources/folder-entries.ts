import { isUtf8 } from 'node:buffer';
import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { JobFailed } from '../../jobs/errors.ts';
import { visibleText } from '../../shared/display-text.ts';

/** An entry of a package's folder. */
export type FolderEntry = Pick<Dirent, 'name' | 'isFile' | 'isDirectory' | 'isSymbolicLink'>;

/**
 * Reads a folder of a package.
 * @param path from `root`, for messages
 * @param isOmitted whether the package does without an entry, whatever its name is
 * @throws JobFailed when the folder may not be read, or a name in it is not UTF-8 or contains control
 * characters: installers refuse packages with them
 */
export async function folderEntries(
  root: string,
  path: string,
  isOmitted: (name: string) => boolean,
): Promise<FolderEntry[]> {
  const folder = join(root, path);
  const entries = await readdir(folder, { withFileTypes: true, encoding: 'buffer' }).catch((error: unknown) => {
    throw unreadable(error, folder);
  });
  const kept: FolderEntry[] = [];
  for (const entry of entries) {
    const name = entry.name.toString('utf8');
    if (isOmitted(name)) continue;
    if (!isUtf8(entry.name)) throw badName(join(path, escapedName(entry.name)), 'is not UTF-8');
    if (/\p{Cc}/u.test(name)) throw badName(join(path, name), 'contains control characters');
    kept.push({
      name,
      isFile: () => entry.isFile(),
      isDirectory: () => entry.isDirectory(),
      isSymbolicLink: () => entry.isSymbolicLink(),
    });
  }
  return kept;
}

/** The JobFailed for a file of the user's that may not be read; other errors are returned unchanged. */
export function unreadable(error: unknown, path: string): unknown {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code !== 'EACCES' && code !== 'EPERM') return error;
  return new JobFailed({
    reason: 'not-found',
    message: `${visibleText(path)} may not be read.`,
    action: 'Give your user the right to read it, then install again.',
    evidence: [visibleText(message)],
  });
}

function badName(path: string, why: string): JobFailed {
  return new JobFailed({
    reason: 'not-an-app',
    message: `The name of ${visibleText(path)} ${why}, which packages may not contain.`,
    action: 'Rename or remove it (or ask the author to), then install again.',
  });
}

/** A name with the bytes that are not UTF-8 written as `\xe9`. */
function escapedName(name: Buffer): string {
  let text = '';
  for (let at = 0; at < name.length; ) {
    const length = [1, 2, 3, 4].find((size) => at + size <= name.length && isUtf8(name.subarray(at, at + size)));
    text += length ? name.toString('utf8', at, at + length) : `\\x${name.toString('hex', at, at + 1)}`;
    at += length ?? 1;
  }
  return text;
}
