import * as z from 'zod';
import { HubTrouble } from './errors.ts';

/** A file of a Space, at one commit. */
export interface HubFile {
  /** From the top of the Space, with slashes. */
  readonly path: string;
  readonly size: number;
  /** What a large file's content is known by; null: the file is an ordinary one. */
  readonly sha256: string | null;
}

const MAX_PATH = 1000;

const Entry = z.object({
  type: z.string(),
  path: z.string(),
  size: z.int().nonnegative().catch(0),
  lfs: z
    .object({ oid: z.string().regex(/^[0-9a-f]{64}$/), size: z.int().nonnegative() })
    .optional()
    .catch(undefined),
});

/** An entry of the hub's list of files; null: it is no file. @throws HubTrouble for what cannot be understood */
export function readFileEntry(entry: unknown): HubFile | null {
  const read = Entry.safeParse(entry);
  if (!read.success) throw new HubTrouble('broken', "The hub's list of files cannot be understood.");
  const { type, path, size, lfs } = read.data;
  if (type !== 'file') return null;
  return { path, size: lfs?.size ?? size, sha256: lfs?.oid ?? null };
}

/**
 * Whether files can lie in a folder as they are called, on every system that we run on.
 * @throws HubTrouble for a name that leads out of the folder, or that two files would share
 */
export function checkPaths(files: readonly HubFile[]): void {
  const taken = new Map<string, string>();
  const folders = new Set<string>();
  for (const { path } of files) {
    if (!isPlainPath(path)) throw unsafe(`"${path.slice(0, 100)}" is not the name of a file of an app.`);
    const key = keyOf(path);
    const other = taken.get(key);
    if (other !== undefined) throw unsafe(`"${other}" and "${path}" would be one file.`);
    taken.set(key, path);
    for (let at = key.indexOf('/'); at !== -1; at = key.indexOf('/', at + 1)) folders.add(key.slice(0, at));
  }
  for (const [key, path] of taken) {
    if (folders.has(key)) throw unsafe(`"${path}" would be a file and a folder.`);
  }
}

/** Systems differ in whether they tell letters apart by case and by how an accent is written. */
const keyOf = (path: string) => path.normalize('NFC').toLowerCase();

function isPlainPath(path: string): boolean {
  return (
    path.length <= MAX_PATH &&
    path.isWellFormed() &&
    !/[\p{Cc}\\]/u.test(path) &&
    path.split('/').every((part) => !/^(?:\.{0,2}|\.git)$/i.test(part) && !/^[a-z]:/i.test(part))
  );
}

function unsafe(why: string): HubTrouble {
  return new HubTrouble('broken', `The Space cannot be downloaded: ${why}`, 'Tell the author of the app.');
}
