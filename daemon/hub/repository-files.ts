import * as z from 'zod';
import { HubError } from './errors.ts';

export interface HubFile {
  /** From the top of the repository, with slashes. */
  readonly path: string;
  readonly size: number;
  /** Hash of a large file; null for an ordinary one. */
  readonly sha256: string | null;
  /** The hub's hash of an ordinary file; absent: it gave none. */
  readonly oid?: string;
}

const MAX_PATH = 1000;

const Entry = z.object({
  type: z.string(),
  path: z.string(),
  size: z.int().nonnegative().catch(0),
  oid: z.string().max(64).optional().catch(undefined),
  lfs: z
    .object({ oid: z.string().regex(/^[0-9a-f]{64}$/), size: z.int().nonnegative() })
    .optional()
    .catch(undefined),
});

/** Parses an entry of the hub's list of files; null when it is not a file. @throws HubError when it is invalid */
export function readFileEntry(entry: unknown): HubFile | null {
  const read = Entry.safeParse(entry);
  if (!read.success) throw new HubError('broken', "The hub's list of files is invalid.");
  const { type, path, size, oid, lfs } = read.data;
  if (type !== 'file') return null;
  return { path, size: lfs?.size ?? size, sha256: lfs?.oid ?? null, ...(!lfs && oid !== undefined && { oid }) };
}

/**
 * Checks that files can be written to a folder under their names, on every supported system.
 * @throws HubError for a name that leads out of the folder, or that two files would share
 */
export function checkPaths(files: readonly HubFile[]): void {
  const taken = new Map<string, string>();
  const folders = new Set<string>();
  for (const { path } of files) {
    if (!isPlainPath(path)) throw unsafe(`"${path.slice(0, 100)}" is not a valid file name.`);
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

/** Some file systems ignore case and the encoding of accents. */
const keyOf = (path: string) => path.normalize('NFC').toLowerCase();

function isPlainPath(path: string): boolean {
  return (
    path.length <= MAX_PATH &&
    path.isWellFormed() &&
    !/[\p{Cc}\\]/u.test(path) &&
    path.split('/').every((part) => !/^(?:\.{0,2}|\.git)$/i.test(part) && !/^[a-z]:/i.test(part))
  );
}

function unsafe(why: string): HubError {
  return new HubError('broken', `It cannot be downloaded from the hub: ${why}`, 'Tell its author.');
}

/**
 * Checks that an answer has the part of a file that was requested. A server that ignores ranges sends the whole file, whose
 * beginning is then dropped.
 * @param offset the first requested byte
 * @param answer the answer, once bytes arrive
 * @throws HubError when another part arrives
 */
export async function* streamFrom(
  offset: number,
  body: AsyncIterable<Uint8Array>,
  answer: () => Pick<Response, 'status' | 'headers'> | undefined,
): AsyncGenerator<Uint8Array> {
  let skip: number | null = null;
  for await (const chunk of body) {
    skip ??= offset === 0 ? 0 : bytesBefore(offset, answer());
    const rest = chunk.subarray(Math.min(skip, chunk.length));
    skip -= chunk.length - rest.length;
    if (rest.length > 0) yield rest;
  }
}

/** The number of bytes in the answer before the offset. */
function bytesBefore(offset: number, answer: Pick<Response, 'status' | 'headers'> | undefined): number {
  if (answer?.status === 200) return offset;
  const start = /^bytes (\d+)-/.exec(answer?.headers.get('content-range') ?? '')?.[1];
  if (answer?.status === 206 && Number(start) === offset) return 0;
  throw new HubError('broken', 'The hub sent another part of the file than the one that was requested.');
}
