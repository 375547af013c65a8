import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { chmod, copyFile, lstat, lutimes, mkdir, readdir, readlink, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';

/** A path in a package: a file, a folder or a link. */
interface Entry {
  /** Without the leading slash. */
  readonly path: string;
  readonly isFile: boolean;
  readonly bytes: number;
}

/** Copies a file, a link or a folder, with the permissions of a package: they do not depend on the umask of its builder. */
export async function copyInto(root: string, from: string, to: string): Promise<void> {
  await makeFolder(root, dirname(to));
  await copy(from, join(root, to));
}

async function copy(from: string, to: string): Promise<void> {
  const stats = await lstat(from);
  if (stats.isSymbolicLink()) await symlink(await readlink(from), to);
  else if (stats.isDirectory()) {
    await mkdir(to, { recursive: true });
    await chmod(to, 0o755);
    for (const name of await readdir(from)) await copy(join(from, name), join(to, name));
  } else {
    await copyFile(from, to);
    await chmod(to, stats.mode & 0o111 ? 0o755 : 0o644);
  }
}

async function makeFolder(root: string, folder: string): Promise<void> {
  if (folder === '/') return;
  await makeFolder(root, dirname(folder));
  await mkdir(join(root, folder), { recursive: true });
  await chmod(join(root, folder), 0o755);
}

/** Everything below a folder, sorted. */
export async function entriesBelow(root: string): Promise<readonly Entry[]> {
  const paths = (await readdir(root, { recursive: true })).sort();
  return Promise.all(
    paths.map(async (path) => {
      const stats = await lstat(join(root, path));
      return { path, isFile: stats.isFile(), bytes: stats.size };
    }),
  );
}

/** The size of entries on a disk, in units of 1024 bytes, as Debian counts it. */
export const installedKb = (entries: readonly Entry[]): number =>
  entries.reduce((total, { isFile, bytes }) => total + (isFile ? Math.ceil(bytes / 1024) : 1), 0);

/** The text of DEBIAN/md5sums, with which `dpkg --verify` finds damaged files. */
export async function md5sums(root: string, entries: readonly Entry[]): Promise<string> {
  const lines: string[] = [];
  for (const { path, isFile } of entries) {
    if (!isFile) continue;
    const hash = createHash('md5');
    await pipeline(createReadStream(join(root, path)), hash);
    lines.push(`${hash.digest('hex')}  ${path}\n`);
  }
  return lines.join('');
}

/** Sets the times of all that is in a package, which then depends on its contents alone. @param epochS Unix time */
export async function setTimes(root: string, epochS: number): Promise<void> {
  for (const path of ['', ...(await readdir(root, { recursive: true }))]) {
    await lutimes(join(root, path), epochS, epochS);
  }
}
