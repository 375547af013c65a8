import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type FolderRules, folderRules, isIgnored } from '../../app-package/author/own-files.ts';

const MAX_IGNORE_BYTES = 1024 * 1024;

/**
 * Walks through a folder that is not in git, as git would: without what its `.gitignore` files exclude. Follows no links.
 * @param enter whether to go into a folder; `names` are those of its entries
 * @param folder where in `root` the walk begins, with slashes
 * @param above the rules of the folders above, the nearest last
 * @returns the paths of the files, with slashes
 */
export async function* walkFolder(
  root: string,
  enter: (path: string, names: ReadonlySet<string>) => boolean,
  signal: AbortSignal,
  folder = '',
  above: readonly FolderRules[] = [],
): AsyncGenerator<string> {
  signal.throwIfAborted();
  const entries = await readdir(join(root, folder), { withFileTypes: true });
  const names = new Set(entries.map(({ name }) => name));
  if (!enter(folder, names)) return;
  const own = names.has('.gitignore') ? await textOf(join(root, folder, '.gitignore')) : null;
  const rules = own === null ? above : [...above, folderRules(folder === '' ? '' : `${folder}/`, own)];
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (entry.name === '.git' || isIgnored(entry.isDirectory() ? `${path}/` : path, rules)) continue;
    if (entry.isDirectory()) yield* walkFolder(root, enter, signal, path, rules);
    else yield path;
  }
}

/** @returns null for a file that may not be read, is no file, or is far larger than such a file */
async function textOf(file: string): Promise<string | null> {
  const bytes = await readFile(file).catch(() => null);
  return bytes && bytes.length <= MAX_IGNORE_BYTES ? bytes.toString('utf8').replace(/^\uFEFF/, '') : null;
}
