import { rename } from 'node:fs/promises';
import { basename, join } from 'node:path';

/** The name under which a damaged file or folder is kept beside its old place: `jobs.json.damaged-20261121T101500123`. */
export function asideName(path: string, at: Date): string {
  return `${path}.damaged-${at.toISOString().replace(/[-:.Z]/g, '')}`;
}

/** Renames a file or folder to the top of the data folder, where no daemon looks for it. @returns its new path */
export async function setAside(path: string, root: string, at: Date): Promise<string> {
  const aside = asideName(join(root, basename(path)), at);
  await rename(path, aside);
  return aside;
}
