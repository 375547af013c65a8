import type { Dirent, Stats } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { join, posix, relative, sep } from 'node:path';
import type { Ignore } from 'ignore';
import ignore from 'ignore';
import { holdsSecrets, isOmitted } from '../omitted-files.ts';
import { filesAmong, LARGE_FILE_POINTER, type PackageFiles } from '../package-files.ts';
import { hubFilesOf, leadsOutside } from '../package-links.ts';

/** The files of an app that its author works on. */
export interface OwnFiles extends PackageFiles {
  /** The bytes of each file. */
  readonly sizes: ReadonlyMap<string, number>;
  /** The links that lead out of the folder. */
  readonly linksOutside: readonly string[];
  /** The folders of virtual environments that installs do not leave out, and whose links lead out of the folder. */
  readonly linkedEnvironments: readonly string[];
  /** Folders of environments and caches, of those that installs leave out: `.venv`, `hello/__pycache__`. */
  readonly leftovers: readonly string[];
  /** Whether a .gitignore names a file or a folder; the path of a folder ends in a slash. */
  readonly isIgnored: (path: string) => boolean;
  /** Whether a file is published: no .gitignore names it, and it holds no variables of its author. */
  readonly isPublished: (path: string) => boolean;
  /** Whether there are more files than were looked at. */
  readonly truncated: boolean;
}

/** Far above the files of an app. */
const MAX_ENTRIES = 5_000;
const MAX_ENTRIES_OF_FOLDER = 1_000;
const MAX_DEPTH = 20;
const STATS_AT_ONCE = 64;
const LEFTOVERS: ReadonlySet<string> = new Set(['.venv', 'venv', 'node_modules', '__pycache__']);
/** Python writes it into each virtual environment. */
const ENVIRONMENT_MARK = 'pyvenv.cfg';
/** A pointer to a large file has about 130 bytes. */
const MAX_POINTER_BYTES = 1024;

/**
 * Reads the outline of an author's folder: a bounded number of files, no links, and nothing that installs leave out.
 * @param folder an absolute path, links resolved
 */
export async function readOwnFiles(folder: string): Promise<OwnFiles> {
  const { files, links, leftovers, environments, truncated } = await walk(folder);
  const plain = await filesAmong(folder, files);
  const sizes = await sizesOf(folder, plain.paths);
  const isIgnored = await readIgnoreRules(plain);
  const outside = await Promise.all(links.map((path) => leadsOutside(folder, path)));
  const linked = await Promise.all(environments.map((path) => leadsOutside(folder, `${path}/bin/python`)));
  return {
    ...plain,
    // Only a small file is a pointer: the others are not opened.
    largeFilePointers: async () => {
      const small = plain.paths.filter((path) => (sizes.get(path) ?? 0) <= MAX_POINTER_BYTES);
      const texts = await Promise.all(small.map((path) => plain.read(path)));
      return small.filter((_, index) => texts[index]?.startsWith(LARGE_FILE_POINTER));
    },
    sizes,
    linksOutside: links.filter((_, index) => outside[index]),
    linkedEnvironments: environments.filter((_, index) => linked[index]),
    leftovers: [...leftovers, ...environments.filter((_, index) => !linked[index]).map((path) => `${path}/`)],
    isIgnored,
    isPublished: (path) => !holdsSecrets(posix.basename(path)) && !isIgnored(path),
    truncated,
  };
}

async function walk(folder: string) {
  const hubFileAt = hubFilesOf(folder);
  const [files, links, leftovers, environments]: [Dirent[], string[], string[], string[]] = [[], [], [], []];
  let truncated = false;
  let seen = 0;
  let level = [folder];
  for (let depth = 0; level.length > 0; depth++) {
    const next: string[] = [];
    for (const path of level) {
      const entries = await readdir(path, { withFileTypes: true }).catch(() => []);
      if (path !== folder && entries.some(({ name }) => name === ENVIRONMENT_MARK)) {
        environments.push(relative(folder, path).replaceAll(sep, '/'));
        continue;
      }
      const kept = seen < MAX_ENTRIES && depth < MAX_DEPTH ? codeFirst(entries).slice(0, MAX_ENTRIES_OF_FOLDER) : [];
      seen += kept.length;
      if (kept.length < entries.length) truncated = true;
      for (const entry of kept) {
        if (entry.isDirectory() && LEFTOVERS.has(entry.name)) leftovers.push(`${pathOf(folder, entry)}/`);
        if (isOmitted(entry.name, path === folder)) continue;
        const isFile = entry.isFile() || (entry.isSymbolicLink() && (await hubFileAt(pathOf(folder, entry))) !== null);
        if (isFile) files.push(entry);
        else if (entry.isSymbolicLink()) links.push(pathOf(folder, entry));
        else if (entry.isDirectory()) next.push(join(path, entry.name));
      }
    }
    level = next;
  }
  return { files, links, leftovers, environments, truncated };
}

/** Code and folders before other files, of which a folder may have thousands. */
function codeFirst(entries: readonly Dirent[]): readonly Dirent[] {
  if (entries.length <= MAX_ENTRIES_OF_FOLDER) return entries;
  const isOther = (entry: Dirent) => Number(!entry.isDirectory() && !entry.name.endsWith('.py'));
  return entries.toSorted((a, b) => isOther(a) - isOther(b));
}

function pathOf(folder: string, entry: Dirent): string {
  return relative(folder, join(entry.parentPath, entry.name)).replaceAll(sep, '/');
}

async function sizesOf(folder: string, paths: readonly string[]): Promise<Map<string, number>> {
  const sizes = new Map<string, number>();
  for (let start = 0; start < paths.length; start += STATS_AT_ONCE) {
    const some = paths.slice(start, start + STATS_AT_ONCE);
    const stats = await Promise.all(
      some.map((path): Promise<Stats | null> => lstat(join(folder, path)).catch(() => null)),
    );
    for (const [index, path] of some.entries()) sizes.set(path, stats[index]?.size ?? 0);
  }
  return sizes;
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

/** Reads the .gitignore files of a folder, that of the folder itself first. @returns see `OwnFiles.isIgnored` */
async function readIgnoreRules(files: Pick<PackageFiles, 'paths' | 'read'>): Promise<OwnFiles['isIgnored']> {
  const found = files.paths.filter((path) => path === '.gitignore' || path.endsWith('/.gitignore'));
  const rules: FolderRules[] = [];
  for (const path of found.sort((a, b) => a.length - b.length)) {
    rules.push(folderRules(path.slice(0, -'.gitignore'.length), (await files.read(path)) ?? ''));
  }
  return (path) => parentsOf(path).some((each) => isIgnored(each, rules));
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
