import { createHash, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import type { HubFile } from '../../../hub/repository-files.ts';

/** A file of the app's folder that is to be published. */
export interface LocalFile {
  /** From the app's folder, with slashes. */
  readonly path: string;
  readonly bytes: number;
  readonly isExecutable: boolean;
  /** The published content: the file at an absolute path, or this content in place of it. */
  readonly content: Uint8Array<ArrayBuffer> | { readonly file: string };
}

/** Whether a file has the content of the Space's, which is known by its size and hash: no download is needed. */
export async function isSameContent(local: LocalFile, remote: HubFile, signal: AbortSignal): Promise<boolean> {
  if (local.bytes !== remote.size) return false;
  if (remote.sha256 !== null) return remote.sha256 === (await digest(local, createHash('sha256'), signal));
  return remote.oid === (await gitBlobId(local, signal));
}

/** The id that git gives to the content. */
function gitBlobId(local: LocalFile, signal: AbortSignal): Promise<string> {
  return digest(local, createHash('sha1').update(`blob ${local.bytes}\0`), signal);
}

async function digest({ content }: LocalFile, hash: Hash, signal: AbortSignal): Promise<string> {
  if (content instanceof Uint8Array) return hash.update(content).digest('hex');
  for await (const chunk of createReadStream(content.file, { signal })) hash.update(chunk);
  signal.throwIfAborted();
  return hash.digest('hex');
}
