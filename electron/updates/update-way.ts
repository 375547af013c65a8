import { access, readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { parse } from 'yaml';
import * as z from 'zod';

/** The files of a newer version, as its feed lists them. */
export interface Release {
  readonly version: string;
  /** `sha512`: base64. */
  readonly files: readonly { readonly url: string; readonly sha512?: string | undefined }[];
}

/** How this copy of the program becomes a newer one. `off`: not at all; why, in a sentence. */
export type UpdateWay =
  | { readonly by: 'off'; readonly reason: string }
  | { readonly by: 'program' | 'hand' }
  | { readonly by: 'command'; readonly command: (release: Release) => string | null };

/** The facts about this start that `updateWay` needs. */
export interface InstalledProgram {
  readonly isPackaged: boolean;
  readonly platform: NodeJS.Platform;
  /** The folder where electron-builder leaves the address of the releases. */
  readonly resourcesPath: string;
  readonly execPath: string;
  /** The file of an AppImage; undefined: this is none. */
  readonly appImage: string | undefined;
}

/** Finds how this copy was installed, and whether it knows where its releases are. Never rejects. */
export async function updateWay(program: InstalledProgram): Promise<UpdateWay> {
  const { isPackaged, platform, resourcesPath, execPath, appImage } = program;
  if (!isPackaged) return { by: 'off', reason: 'This program runs from its sources, which updates do not reach.' };
  const feed = await readFile(join(resourcesPath, 'app-update.yml'), 'utf8').catch(() => null);
  if (feed === null) return { by: 'off', reason: 'This build was made without an address to look for updates.' };
  if (!isSecure(feed))
    return { by: 'off', reason: 'This build has no secure address for updates, so it looks for none.' };
  if (platform === 'darwin') return { by: 'program' };
  if (platform === 'win32') return { by: (await isInstalledOnWindows(execPath)) ? 'program' : 'hand' };
  if (appImage !== undefined) return { by: 'program' };
  const kind = (await readFile(join(resourcesPath, 'package-type'), 'utf8').catch(() => '')).trim();
  if (!isKind(kind)) return { by: 'hand' };
  const baseOf = releaseAddress(feed);
  return { by: 'command', command: (release) => installCommand(kind, release, baseOf) };
}

/** The checksums are as good as the connection that they come over. */
function isSecure(feed: string): boolean {
  const { url } = (parsed(feed) ?? {}) as { readonly url?: unknown };
  return typeof url !== 'string' || url.startsWith('https://');
}

/** An archive that was unpacked has no program that removes it. */
async function isInstalledOnWindows(execPath: string): Promise<boolean> {
  return access(join(dirname(execPath), `Uninstall ${basename(execPath)}`)).then(
    () => true,
    () => false,
  );
}

const installers = {
  deb: (file: string) => `sudo apt install ./${file}`,
  rpm: (file: string) => `sudo rpm --upgrade ./${file}`,
} as const;
type PackageKind = keyof typeof installers;
const isKind = (text: string): text is PackageKind => Object.hasOwn(installers, text);

/** The part of a feed's description that tells where the files of a release are. electron-updater reads the rest. */
const Feed = z.discriminatedUnion('provider', [
  z.object({ provider: z.literal('generic'), url: z.string() }),
  z.object({
    provider: z.literal('github'),
    owner: z.string(),
    repo: z.string(),
    vPrefixedTagName: z.boolean().default(true),
  }),
]);

/** @returns the address of the folder with the files of a version; null: it is not known for this kind of feed */
function releaseAddress(text: string): (version: string) => string | null {
  const { data: feed } = Feed.safeParse(parsed(text));
  return (version) => {
    if (feed === undefined) return null;
    if (feed.provider === 'generic') return feed.url.replace(/\/*$/, '/');
    const tag = `${feed.vPrefixedTagName ? 'v' : ''}${version}`;
    return `https://github.com/${feed.owner}/${feed.repo}/releases/download/${tag}/`;
  };
}

function parsed(text: string): unknown {
  try {
    return parse(text);
  } catch {
    return null;
  }
}

/**
 * One line for a terminal: it downloads the package of a release into a new folder, compares its checksum, and installs
 * it. Text of the feed becomes part of it only if it can mean nothing else to a shell.
 */
function installCommand(
  kind: PackageKind,
  { version, files }: Release,
  baseOf: (version: string) => string | null,
): string | null {
  const file = files.find(({ url }) => url.endsWith(`.${kind}`));
  const base = baseOf(version);
  if (!file?.sha512 || base === null) return null;
  const checksum = Buffer.from(file.sha512, 'base64').toString('hex');
  const isPlain = /^https:\/\/[\w.:/~-]+$/.test(base) && /^\w[\w.+~-]*$/.test(file.url) && checksum.length === 128;
  if (!isPlain) return null;
  const steps = [
    'cd "$(mktemp -d)"',
    `curl -fLO ${base}${file.url}`,
    `echo '${checksum}  ${file.url}' | sha512sum -c`,
    installers[kind](file.url),
  ];
  return steps.join(' && ');
}
