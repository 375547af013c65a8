import { randomBytes } from 'node:crypto';
import { lstat, mkdir, rename, rm, rmdir, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { succeeds } from '../../shared/async/succeeds.ts';
import { isSystemError } from '../../shared/domain-error.ts';
import { DiskFull, storageError } from '../../shared/files/storage-errors.ts';
import { AppFolderExists, DestinationMissing, DestinationReadOnly } from '../errors.ts';

/**
 * Creates a folder with its content in an existing one: whole or not at all.
 * @param fill writes the content into the given folder, which is not yet the final one
 * @throws DestinationMissing, AppFolderExists, DestinationReadOnly, DiskFull, or the error of `fill`
 */
export async function createFolder(folder: string, fill: (draft: string) => Promise<void>): Promise<void> {
  const destination = dirname(folder);
  await refuseMissing(destination);
  if (await isThere(folder)) throw new AppFolderExists(folder);
  const draft = join(destination, `.${basename(folder)}.${randomBytes(4).toString('hex')}`);
  try {
    await mkdir(draft);
    await fill(draft);
    await moveInto(draft, folder);
  } catch (error) {
    await rm(draft, { recursive: true, force: true }).catch(() => {});
    throw explained(error, destination);
  }
}

async function refuseMissing(destination: string): Promise<void> {
  const found = await stat(destination).catch((error: unknown) => {
    if (isSystemError(error)) return null;
    throw error;
  });
  if (found?.isDirectory()) return;
  const why = found ? 'is not a folder' : 'does not exist, or may not be read';
  throw new DestinationMissing(`${destination} ${why}. Choose an existing folder.`);
}

/** Whether something has the path, also a link that leads nowhere. */
const isThere = (path: string): Promise<boolean> => succeeds(lstat(path));

/** Moves a folder to a path that nothing has, also if another program creates something there at the same moment. */
async function moveInto(draft: string, folder: string): Promise<void> {
  // A folder can replace an empty one, except on Windows: the path is taken first, by a call that fails if it is in use.
  const takesFirst = process.platform !== 'win32';
  try {
    if (takesFirst) await mkdir(folder);
    await rename(draft, folder);
  } catch (error) {
    const code = isSystemError(error) ? error.code : undefined;
    if (code === 'EEXIST' || code === 'ENOTEMPTY' || (code === 'EPERM' && (await isThere(folder))))
      throw new AppFolderExists(folder);
    if (takesFirst) await rmdir(folder).catch(() => {});
    throw error;
  }
}

function explained(error: unknown, destination: string): unknown {
  if (!isSystemError(error)) return error;
  if (storageError(error, destination) instanceof DiskFull)
    return new DiskFull(destination, {
      message: `The disk of ${destination} is full, so the app was not created.`,
      cause: error,
    });
  const code = error.code ?? '';
  if (['EACCES', 'EPERM', 'EROFS'].includes(code))
    return new DestinationReadOnly(
      `Nothing can be created in ${destination}: you may not write there. Choose another folder.`,
    );
  if (code === 'ENAMETOOLONG')
    return new DestinationMissing(`The path of ${destination} is too long for more folders.`);
  return error;
}
