import { isUtf8 } from 'node:buffer';
import type { Dirent } from 'node:fs';
import { access, constants, copyFile, mkdir, readdir, readlink, realpath, stat, symlink } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { isOmitted } from '../../app-package/omitted-files.ts';
import { hubFilesOf, leadsOutside } from '../../app-package/package-links.ts';
import { JobFailed } from '../../jobs/errors.ts';
import { visibleText } from '../../shared/display-text.ts';

/** Limits well above the size of an app's folder, to refuse folders such as a user's home. */
const MAX_FILES = 20_000;
export const MAX_PACKAGE_BYTES = 2 * 1024 ** 3;

/** Looks whether a path leads to a folder. @returns why not, in one sentence; null: it does. Never rejects */
export async function folderProblem(path: string): Promise<string | null> {
  const found = await stat(path).catch(() => null);
  if (found?.isDirectory()) return null;
  return `${visibleText(path)} ${found ? 'is not a folder' : 'does not exist, or may not be read'}.`;
}

/** The folder at a path, links resolved. @throws JobFailed when there is no such folder */
export async function packageFolder(path: string): Promise<string> {
  const message = await folderProblem(path);
  if (message !== null) throw new JobFailed({ reason: 'not-found', message, action: 'Check the path.' });
  return realpath(path);
}

/**
 * Copies a package, so that a build never writes into the user's folder. Links inside it stay links; those of a hub's cache
 * become the files that they lead to.
 * @returns the number of copied files
 * @throws JobFailed when the folder is too large, or contains a link that leads outside, a file that may not be read, or
 * a name that no package may contain
 */
export async function copyPackage(from: string, to: string, signal: AbortSignal): Promise<number> {
  let files = 0;
  let bytes = 0;
  const hubFileAt = hubFilesOf(from);
  const copyFolder = async (folder: string): Promise<void> => {
    await mkdir(join(to, folder), { recursive: true });
    for (const [name, entry] of await folderEntries(from, folder, (each) => isOmitted(each, folder === ''))) {
      signal.throwIfAborted();
      const path = join(folder, name);
      const file = entry.isSymbolicLink() ? await hubFileAt(path) : entry.isFile() ? join(from, path) : null;
      if (entry.isDirectory()) await copyFolder(path);
      else if (file !== null) {
        bytes += (await stat(file)).size;
        files += 1;
        if (files > MAX_FILES || bytes > MAX_PACKAGE_BYTES) throw tooLarge(from);
        await copyReadable(file, join(to, path));
      } else if (entry.isSymbolicLink()) await copyLink(from, to, path);
    }
  };
  await copyFolder('');
  return files;
}

async function copyReadable(from: string, to: string): Promise<void> {
  // Asked before: the error of a copy does not tell which of the two files lacks a right.
  await access(from, constants.R_OK).catch((error: unknown) => {
    throw unreadable(error, from);
  });
  await copyFile(from, to);
}

async function copyLink(from: string, to: string, path: string): Promise<void> {
  if (await leadsOutside(from, path)) {
    throw new JobFailed({
      reason: 'not-an-app',
      message: `${visibleText(path)} is a link that leads out of the folder.`,
      action: 'Replace the link by the file itself.',
    });
  }
  const target = resolve(dirname(join(from, path)), await readlink(join(from, path)));
  const copy = join(to, relative(from, target));
  await symlink(relative(dirname(join(to, path)), copy) || '.', join(to, path));
}

function tooLarge(folder: string): JobFailed {
  return new JobFailed({
    reason: 'not-an-app',
    message: `${folder} holds more than ${MAX_FILES.toLocaleString('en')} files or 2 GB, more than an app may have.`,
    action: "Choose the app's own folder.",
  });
}

/**
 * Reads a folder of a package.
 * @param path from `root`, for messages
 * @param isOmitted whether the package does without an entry, whatever its name is
 * @returns the entries by their names
 * @throws JobFailed when the folder may not be read, or a name in it is not UTF-8 or contains control
 * characters: installers refuse packages with them
 */
async function folderEntries(
  root: string,
  path: string,
  isOmitted: (name: string) => boolean,
): Promise<Map<string, Dirent<Buffer>>> {
  const folder = join(root, path);
  const entries = await readdir(folder, { withFileTypes: true, encoding: 'buffer' }).catch((error: unknown) => {
    throw unreadable(error, folder);
  });
  const kept = new Map<string, Dirent<Buffer>>();
  for (const entry of entries) {
    const name = entry.name.toString('utf8');
    if (isOmitted(name)) continue;
    if (!isUtf8(entry.name)) throw badName(join(path, escapedName(entry.name)), 'is not UTF-8');
    if (/\p{Cc}/u.test(name)) throw badName(join(path, name), 'contains control characters');
    kept.set(name, entry);
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
