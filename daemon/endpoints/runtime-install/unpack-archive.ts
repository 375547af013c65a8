import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { DomainError } from '../../shared/domain-error.ts';

/** The archive cannot be unpacked. */
export class ArchiveUnusable extends DomainError {}

const MAX_ENTRIES = 5_000;
const MAX_BYTES = 4 * 1024 ** 3;
/** The most folders above the program: `llama-b11146/build/bin/llama-server`. */
const MAX_DEPTH = 4;

/**
 * Unpacks a tar archive, compressed with gzip or not, into a new folder. Only files, folders, and links within one folder
 * are accepted; nothing is written outside.
 * @throws ArchiveUnusable, the reason of the signal, or the system's error when the disk is full
 */
export async function unpackArchive(archive: string, folder: string, signal: AbortSignal): Promise<void> {
  const tar = await import('tar');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  let problem: string | null = null;
  let entries = 0;
  let bytes = 0;
  const accepts = (path: string, entry: { type?: string; size?: number; linkpath?: string }): boolean => {
    entries += 1;
    bytes += entry.size ?? 0;
    if (signal.aborted || problem !== null) return false;
    if (entries > MAX_ENTRIES || bytes > MAX_BYTES) problem = 'It holds too many or too large files.';
    else problem = entryProblem(path, entry);
    return problem === null;
  };
  try {
    await tar.x({
      file: archive,
      cwd: folder,
      strict: true,
      preserveOwner: false,
      filter: (path, entry) => accepts(path, entry as Parameters<typeof accepts>[1]),
    });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).syscall !== undefined) throw error; // of the system, such as a full disk
    throw new ArchiveUnusable(`The archive is damaged: ${(error as Error).message}.`);
  }
  signal.throwIfAborted();
  if (problem !== null) throw new ArchiveUnusable(`The archive was refused. ${String(problem)}`);
}

const PLAIN = new Set(['File', 'OldFile', 'ContiguousFile', 'Directory']);

function entryProblem(path: string, { type = '', linkpath = '' }: { type?: string; linkpath?: string }): string | null {
  if (path.startsWith('/') || path.split(/[\\/]/).includes('..')) return `The path ${path} leads outside.`;
  if (PLAIN.has(type)) return null;
  // The versions of a library are links to a file beside them.
  if (type === 'SymbolicLink' && /^[\w.+-]+$/.test(linkpath) && linkpath !== '..') return null;
  return `${path} is neither a file nor a folder.`;
}

/** The path of a program below a folder; null: it is not there. */
export async function findProgram(folder: string, name: string, depth = 0): Promise<string | null> {
  const entries = await readdir(folder, { withFileTypes: true });
  if (entries.some((entry) => entry.isFile() && entry.name === name)) return join(folder, name);
  if (depth === MAX_DEPTH) return null;
  for (const entry of entries.filter((each) => each.isDirectory()).sort((a, b) => a.name.localeCompare(b.name))) {
    const found = await findProgram(join(folder, entry.name), name, depth + 1);
    if (found !== null) return found;
  }
  return null;
}
