import { readFile } from 'node:fs/promises';
import * as z from 'zod';

const Archive = z.object({
  url: z.url(),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  sizeBytes: z.int().positive(),
  /** Whether it is built for graphics cards. */
  usesCard: z.boolean(),
});

const Release = z.object({
  version: z.string().regex(/^[\w.-]{1,40}$/),
  /** By platform and architecture, such as `linux-x64`; with `-vulkan` one for graphics cards beside it. */
  archives: z.record(z.string(), Archive),
});

/** An archive that holds llama-server. */
export interface LlamaArchive {
  readonly url: string;
  readonly sha256: string;
  /** Null: unknown until the server says it. */
  readonly sizeBytes: number | null;
  /** A name for the installation, such as `b11146`. */
  readonly version: string;
  /** Whether it is built for graphics cards; null: unknown. */
  readonly usesCard: boolean | null;
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

/**
 * The archive to install on this machine. An address alone must have the pinned archive for the processor.
 * @param wantsCard whether one that is built for graphics cards is preferred
 * @returns why there is none, in one sentence
 */
export async function llamaArchive(
  { file, platform, arch, url, sha256 }: ReleaseChoice,
  wantsCard: boolean,
): Promise<LlamaArchive | { readonly problem: string }> {
  if (platform === 'win32') return { problem: 'llama-server is not used on Windows: it has no Unix sockets there.' };
  const { version, archives } = Release.parse(JSON.parse(await readFile(file, 'utf8')));
  const forProcessor = archives[`${platform}-${arch}`];
  const forCard = archives[`${platform}-${arch}-vulkan`];
  const pinned = wantsCard && url === null ? (forCard ?? forProcessor) : forProcessor;
  const digest = sha256 ?? pinned?.sha256;
  const known = [forProcessor, forCard].find((archive) => archive?.sha256 === digest);
  const address = url ?? (known ?? pinned)?.url;
  if (digest === undefined || address === undefined) {
    const options = '--llama-server-url and --llama-server-sha256';
    return { problem: `No release is known for ${platform} on ${arch}. Name an archive by the options ${options}.` };
  }
  if (!known) return { url: address, sha256: digest, sizeBytes: null, version: digest.slice(0, 12), usesCard: null };
  const { sizeBytes, usesCard } = known;
  return { url: address, sha256: digest, sizeBytes, version, usesCard };
}
