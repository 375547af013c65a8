import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** What of a package's folder its checks look at. Every text is bounded; null where there is no such file. */
export interface PackageFiles {
  /** Every file, as a path with slashes from the folder. */
  readonly paths: readonly string[];
  readonly pyproject: string | null;
  /** The beginning of README.md, where its front matter is. */
  readonly readme: string | null;
  /** The text of a file of the package, or null. */
  read(path: string): Promise<string | null>;
}

const MAX_TEXT_BYTES = 1024 * 1024;
const MAX_README_BYTES = 64 * 1024;

/** Reads a package's folder; follows no links. */
export async function readPackageFiles(folder: string): Promise<PackageFiles> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(folder.length + 1)
        .replaceAll('\\', '/'),
    );
  const read = (path: string, limit = MAX_TEXT_BYTES) =>
    paths.includes(path) ? readStart(join(folder, path), limit) : null;
  return {
    paths,
    pyproject: await read('pyproject.toml'),
    readme: await read('README.md', MAX_README_BYTES),
    read: async (path) => read(path),
  };
}

async function readStart(path: string, limit: number): Promise<string> {
  const file = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(limit), 0, limit, 0);
    return buffer.toString('utf8', 0, bytesRead).replace(/^\uFEFF/, '');
  } finally {
    await file.close();
  }
}
