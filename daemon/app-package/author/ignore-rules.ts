import ignore, { type Ignore } from 'ignore';
import type { PackageFiles } from '../package-files.ts';

export interface IgnoreRules {
  /** @param path with slashes from the app's folder; that of a folder ends in a slash */
  ignores(path: string): boolean;
}

/** The rules of one .gitignore, for the paths in its folder. */
export interface FolderRules {
  /** With a slash at its end; empty: the app's folder. */
  readonly folder: string;
  readonly rules: Ignore;
}

/** Like git on these systems. */
const options = { ignoreCase: process.platform === 'darwin' || process.platform === 'win32' };

export const folderRules = (folder: string, gitignore: string): FolderRules => ({
  folder,
  rules: ignore(options).add(gitignore),
});

/** Reads the .gitignore files of a folder, that of the folder itself first. */
export async function readIgnoreRules(files: Pick<PackageFiles, 'paths' | 'read'>): Promise<IgnoreRules> {
  const found = files.paths.filter((path) => path === '.gitignore' || path.endsWith('/.gitignore'));
  const rules: FolderRules[] = [];
  for (const path of found.sort((a, b) => a.length - b.length)) {
    rules.push(folderRules(path.slice(0, -'.gitignore'.length), (await files.read(path)) ?? ''));
  }
  return { ignores: (path) => parentsOf(path).some((each) => isIgnored(each, rules)) };
}

/**
 * Whether the nearest .gitignore that names an entry excludes it. Everything in an excluded folder is excluded too.
 * @param rules those of the nearest folder last
 */
export function isIgnored(path: string, rules: readonly FolderRules[]): boolean {
  for (const { folder, rules: own } of rules.toReversed()) {
    if (!path.startsWith(folder) || path === folder) continue;
    const { ignored, unignored } = own.test(path.slice(folder.length));
    if (ignored || unignored) return ignored;
  }
  return false;
}

/** The folders of a path, each with a slash at its end, and the path itself. */
function parentsOf(path: string): string[] {
  const ends = [...path.matchAll(/\/(?=.)/g)].map(({ index }) => path.slice(0, index + 1));
  return [...ends, path];
}
