import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { WHOLE_REPOSITORY } from '../contract/model-files/model-file-name.ts';
import type { ModelFile as ListedModelFile } from '../contract/model-files/model-files.ts';
import { readDescription, sizeOf } from './partial-file.ts';
import type { RepositoryRecord } from './repository-record.ts';

/** A file of a model on the disk, or all of a repository but its .gguf files. */
export type StoredFile = Omit<ListedModelFile, 'users'>;

const PART = '.part';
const DESCRIPTION = '.part.json';
const GGUF = /\.gguf(?:\.part)?$/;
const OF_GGUF = /\.gguf(?:\.part|\.part\.json)?$/;

/** Every .gguf file of a commit, complete or not, and one row for all other files. @param top the commit's folder */
export async function filesAtCommit(record: RepositoryRecord, commit: string, top: string): Promise<StoredFile[]> {
  const paths = await pathsIn(top);
  const files = paths.filter((path) => GGUF.test(path));
  const others = paths.filter((path) => !OF_GGUF.test(path));
  const rows = await Promise.all(files.map((path) => ggufFile(record, commit, top, path)));
  return others.length === 0 ? rows : [...rows, await wholeRepository(record, commit, top, others)];
}

/** The paths on this machine of all files of a commit but the .gguf ones. */
export async function otherFilesIn(top: string): Promise<string[]> {
  return (await pathsIn(top)).filter((path) => !OF_GGUF.test(path)).map((path) => join(top, path));
}

async function pathsIn(top: string): Promise<string[]> {
  const entries = await readdir(top, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries.filter((entry) => entry.isFile()).map((entry) => relative(top, join(entry.parentPath, entry.name)));
}

async function ggufFile(record: RepositoryRecord, commit: string, top: string, name: string): Promise<StoredFile> {
  const full = join(top, name);
  const isPart = name.endsWith(PART);
  const location = isPart ? full.slice(0, -PART.length) : full;
  const path = slashes(relative(top, location));
  const listed = [...(record.commits[commit] ?? []), ...(record.repositories[commit] ?? [])];
  const size = listed.find((file) => file.path === path)?.size;
  const totalBytes = size ?? (isPart ? ((await readDescription(location))?.size ?? null) : null);
  const bytes = (await sizeOf(full)) ?? 0;
  const state = isPart ? 'partial' : totalBytes !== null && totalBytes !== bytes ? 'damaged' : 'complete';
  return { ...identity(record, commit, path), location, bytes, totalBytes, state };
}

async function wholeRepository(
  record: RepositoryRecord,
  commit: string,
  top: string,
  names: readonly string[],
): Promise<StoredFile> {
  const sizes = new Map<string, number>();
  for (const name of names) {
    if (!name.endsWith(DESCRIPTION)) sizes.set(slashes(name), (await sizeOf(join(top, name))) ?? 0);
  }
  const listed = record.repositories[commit]?.filter(({ path }) => !GGUF.test(path));
  const isDamaged = listed?.some(({ path, size }) => (sizes.get(path) ?? size) !== size) ?? false;
  const isPartial = names.some((name) => name.endsWith(PART)) || listed?.some(({ path }) => !sizes.has(path));
  return {
    ...identity(record, commit, WHOLE_REPOSITORY),
    location: top,
    bytes: [...sizes.values()].reduce((sum, size) => sum + size, 0),
    totalBytes: listed?.reduce((sum, { size }) => sum + size, 0) ?? null,
    state: isDamaged ? 'damaged' : isPartial ? 'partial' : 'complete',
  };
}

function identity({ repository, used }: RepositoryRecord, commit: string, path: string) {
  const id = createHash('sha256').update([repository, commit, path].join('\n')).digest('hex').slice(0, 16);
  return { id, repository, commit, path, lastUsedAt: used[`${commit}/${path}`] ?? null };
}

const slashes = (path: string) => path.split(sep).join('/');
