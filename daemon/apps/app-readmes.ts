import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readWithin } from '../app-package/package-files.ts';
import type { AppSource } from '../contract/apps/app-source.ts';
import type { Readme, ReadmeImage } from '../contract/apps/readme.ts';
import { hubTooSlow } from '../hub/errors.ts';
import type { HubClient } from '../hub/hub-client.ts';
import { deadline } from '../shared/async/deadline.ts';
import type { Clock } from '../shared/clock.ts';
import { DomainError, NotFound } from '../shared/domain-error.ts';
import type { InstalledApps } from './installed/installed-apps.ts';
import { MAX_README_BYTES, readmeOf } from './readme-text.ts';

interface AppReadmesDeps {
  readonly apps: Pick<InstalledApps, 'get' | 'environmentOf'>;
  readonly samplesDir: string;
  readonly hub: Pick<HubClient, 'readBytes'>;
  readonly clock: Clock;
}

const IMAGE_WITHIN_MS = 30_000;

const README = 'README.md';
/** Kept in an environment, so that each version has its own. */
const KEPT_AS = 'app-readme.md';

/** Keeps the README of a package with the environment that is built from it. @throws errors of the file system */
export async function keepReadme(sourceDir: string, envDir: string): Promise<void> {
  const readme = await readWithin(sourceDir, README, MAX_README_BYTES + 1);
  if (readme) await writeFile(join(envDir, KEPT_AS), readme);
}

/** The READMEs of installed apps, and the images in READMEs of installed apps and of the store. */
export class AppReadmes {
  readonly #deps: AppReadmesDeps;

  constructor(deps: AppReadmesDeps) {
    this.#deps = deps;
  }

  /** The README of the installed version; one that an earlier release installed from a folder has the folder's. @throws AppNotInstalled */
  async readme(name: string): Promise<Readme> {
    const { apps } = this.#deps;
    const kept = await readWithin(apps.environmentOf(name), KEPT_AS, MAX_README_BYTES + 1);
    const folder = this.#folderOf(apps.get(name).source);
    const bytes = kept ?? (folder === null ? null : await readWithin(folder, README, MAX_README_BYTES + 1));
    const text = new TextDecoder().decode(bytes?.subarray(0, MAX_README_BYTES));
    return readmeOf(text, { isWhole: (bytes?.length ?? 0) <= MAX_README_BYTES });
  }

  /** An image beside the README of an installed app. @throws AppNotInstalled, ImageNotFound, ImageRefused, HubError */
  async image(name: string, path: string): Promise<ReadmeImage> {
    const { source } = this.#deps.apps.get(name);
    if (source.kind === 'space') {
      const below = source.subdirectory === undefined ? path : `${source.subdirectory}/${path}`;
      return this.storeImage(source.id, source.commit, below);
    }
    const folder = this.#folderOf(source);
    const bytes = folder === null ? null : await readWithin(folder, path, MAX_IMAGE_BYTES + 1);
    if (!bytes) throw new ImageNotFound(path);
    return readmeImage(bytes);
  }

  /** An image of an app's repository on the hub. @throws ImageRefused, HubError */
  async storeImage(id: string, commit: string, path: string): Promise<ReadmeImage> {
    const { hub, clock } = this.#deps;
    using limit = deadline(clock, IMAGE_WITHIN_MS, hubTooSlow);
    const space = { type: 'space', id } as const;
    return readmeImage(await hub.readBytes(space, commit, path, MAX_IMAGE_BYTES + 1, limit.signal));
  }

  /** The folder of the package's sources; null: they are not on this machine. */
  #folderOf(source: AppSource): string | null {
    if (source.kind === 'folder') return source.path;
    return source.kind === 'sample' ? join(this.#deps.samplesDir, source.sample) : null;
  }
}

export const MAX_IMAGE_BYTES = 4 * 1024 * 1024;

/** The file of a README is not shown. `message` says why. */
export class ImageRefused extends DomainError {}

/** The app has no such file, or its files are not at hand. */
class ImageNotFound extends NotFound {
  constructor(path: string) {
    super(`There is no image "${path}" beside the README.`);
  }
}

/**
 * An image as the page may show it.
 * @param bytes the file, or more than `MAX_IMAGE_BYTES` of it
 * @throws ImageRefused for a file that is too large, or no image without scripts: an SVG, for example
 */
export function readmeImage(bytes: Uint8Array): ReadmeImage {
  if (bytes.length > MAX_IMAGE_BYTES) throw new ImageRefused('The image is larger than 4 MB.');
  const type = typeOf(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  if (!type) throw new ImageRefused('This is no PNG, JPEG, GIF, WebP or AVIF image.');
  return { type, base64: Buffer.from(bytes).toString('base64') };
}

/** The type by the first bytes: a file name says nothing. */
function typeOf(bytes: Buffer): ReadmeImage['type'] | null {
  const text = (from: number, to: number) => bytes.toString('latin1', from, to);
  if (text(0, 8) === '\x89PNG\r\n\x1a\n') return 'image/png';
  if (text(0, 3) === '\xff\xd8\xff') return 'image/jpeg';
  if (/^GIF8[79]a$/.test(text(0, 6))) return 'image/gif';
  if (text(0, 4) === 'RIFF' && text(8, 12) === 'WEBP') return 'image/webp';
  if (/^ftypavi[fs]$/.test(text(4, 12))) return 'image/avif';
  return null;
}
