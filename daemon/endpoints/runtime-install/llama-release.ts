import { readFile } from 'node:fs/promises';
import * as z from 'zod';

const Release = z.object({
  version: z.string().regex(/^[\w.-]{1,40}$/),
  /** By platform and architecture. */
  archives: z.record(
    z.string(),
    z.object({ url: z.url(), sha256: z.string().regex(/^[0-9a-f]{64}$/), sizeBytes: z.int().positive() }),
  ),
});

/** An archive that holds llama-server. */
export interface LlamaArchive {
  readonly url: string;
  readonly sha256: string;
  /** Null: unknown until the server says it. */
  readonly sizeBytes: number | null;
  /** A name for the installation, such as `b11120`. */
  readonly version: string;
}

export interface ReleaseChoice {
  /** The file with the pinned release. */
  readonly file: string;
  readonly platform: NodeJS.Platform;
  readonly arch: string;
  /** The address by the user's setting; null: that of the release. */
  readonly url: string | null;
  /** The checksum by the user's setting; null: that of the release. */
  readonly sha256: string | null;
}

/** The archive to install on this machine, or why there is none, in one sentence. */
export async function llamaArchive(choice: ReleaseChoice): Promise<LlamaArchive | { readonly problem: string }> {
  const { file, platform, arch, url, sha256 } = choice;
  if (platform === 'win32') return { problem: 'llama-server is not used on Windows: it has no Unix sockets there.' };
  const release = Release.parse(JSON.parse(await readFile(file, 'utf8')));
  const pinned = release.archives[`${platform}-${arch}`];
  const digest = sha256 ?? pinned?.sha256;
  const address = url ?? pinned?.url;
  if (digest === undefined || address === undefined) {
    const options = '--llama-server-url and --llama-server-sha256';
    return { problem: `No release is known for ${platform} on ${arch}. Name an archive by the options ${options}.` };
  }
  const isPinned = digest === pinned?.sha256;
  return {
    url: address,
    sha256: digest,
    sizeBytes: isPinned ? pinned.sizeBytes : null,
    version: isPinned ? release.version : digest.slice(0, 12),
  };
}
