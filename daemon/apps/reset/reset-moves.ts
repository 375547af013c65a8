import { lstat, rename } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { makeFolder } from '../../shared/files/make-folder.ts';
import { storageError } from '../../shared/files/storage-errors.ts';
import { VARIABLES_FILE } from '../run/app-variables.ts';
import { NotMovable, PlaceTaken } from './errors.ts';
import type { StoredReset } from './reset-record.ts';

/** The working folder of an app, in its folder. */
export const FILES = 'files';

/** One thing that a reset sets aside. */
interface Move {
  readonly kind: 'files' | 'variables' | 'beside-code';
  /** A folder that is there, above its place. */
  readonly root: string;
  readonly place: string;
  readonly aside: string;
}

/**
 * Moves all that an app has saved, and its variables, into the folder of a reset. Each move is a rename on one disk, so
 * that the size does not matter.
 * @param folder of the app
 * @throws StorageError, NotMovable, or the system's error; then some of it is still in its place
 */
export async function moveOut(folder: string, reset: StoredReset): Promise<void> {
  for (const each of movesOf(folder, reset)) await move(each.place, each.aside, each);
}

/**
 * Moves everything back. A file that is in its place already stays there, and nothing is replaced.
 * @throws PlaceTaken, StorageError, NotMovable, or the system's error; a second call goes on where this one ended
 */
export async function putBack(folder: string, reset: StoredReset): Promise<void> {
  for (const each of movesOf(folder, reset)) await move(each.aside, each.place, each);
}

/** Whether a reset still has something aside. */
export async function isAside(folder: string, reset: StoredReset): Promise<boolean> {
  for (const { aside } of movesOf(folder, reset)) if ((await kindAt(aside)) !== null) return true;
  return false;
}

/** The file or folder that already is where another is to be set aside. */
interface TakenPlace extends Pick<Move, 'kind'> {
  /** The file or folder itself, or something other than a folder that is above its place. */
  readonly path: string;
}

/** Finds what keeps a reset from being put back. */
export async function takenPlaces(folder: string, reset: StoredReset): Promise<TakenPlace[]> {
  const taken: TakenPlace[] = [];
  for (const { kind, root, place, aside } of movesOf(folder, reset)) {
    const path = (await kindAt(aside)) === null ? null : await inTheWayOf(place, root);
    if (path !== null) taken.push({ kind, path });
  }
  return taken;
}

/** A link above a place is in the way, too: what is moved there would leave the folder of the app. */
async function inTheWayOf(place: string, root: string): Promise<string | null> {
  let path = root;
  const names = relative(root, place).split(sep);
  for (const [index, name] of names.entries()) {
    path = join(path, name);
    const kind = await kindAt(path);
    if (kind === null) return null;
    if (kind !== 'folder' || index === names.length - 1) return path;
  }
  return null;
}

function movesOf(folder: string, reset: StoredReset): Move[] {
  const asideFolder = join(folder, reset.folder);
  const ofFolder = (kind: Move['kind'], name: string): Move => ({
    ...{ kind, root: folder, place: join(folder, name), aside: join(asideFolder, name) },
  });
  const root = join(folder, reset.packages);
  return [
    ofFolder('files', FILES),
    ofFolder('variables', VARIABLES_FILE),
    ...reset.besideCode.map(
      (path): Move => ({
        ...{ kind: 'beside-code', root, place: join(root, path), aside: join(asideFolder, 'beside-code', path) },
      }),
    ),
  ];
}

async function move(from: string, to: string, { place }: Move): Promise<void> {
  if ((await kindAt(from)) === null) return;
  if ((await kindAt(to)) !== null) throw new PlaceTaken(to);
  await makeFolder(dirname(to));
  try {
    await rename(from, to);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EBUSY' || code === 'EXDEV') throw new NotMovable(place, code);
    throw storageError(error, dirname(place));
  }
}

/** null: nothing is there. @throws the system's error when that cannot be known */
async function kindAt(path: string): Promise<'folder' | 'other' | null> {
  return lstat(path).then(
    (status) => (status.isDirectory() ? 'folder' : 'other'),
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null;
      throw error;
    },
  );
}
