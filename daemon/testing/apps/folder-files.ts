import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';

/** The files of a folder, by their paths with slashes, without Python's caches. */
export async function filesOf(folder: string): Promise<Record<string, Buffer>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const files: Record<string, Buffer> = {};
  for (const path of paths.filter((each) => !each.includes('__pycache__'))) {
    files[relative(folder, path).replaceAll('\\', '/')] = await readFile(path);
  }
  return files;
}
