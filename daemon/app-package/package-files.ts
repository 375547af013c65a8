import { constants, type Dirent } from 'node:fs';
import { open, readdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { type PackageFinding, problem } from './package-finding.ts';
import { hubFilesOf, isOutside } from './package-links.ts';
import { MAX_PYPROJECT_BYTES } from './pyproject.ts';

/** The files of a package for its checks. Texts are bounded, and null for a missing file. */
export interface PackageFiles {
  /** Every file, as a path with slashes from the folder. */
  readonly paths: readonly string[];
  readonly pyproject: string | null;
  /** The beginning of README.md, with its front matter. */
  readonly readme: string | null;
  /** The text of a file of the package, or null. */
  read(path: string): Promise<string | null>;
  /** The pointers to large files, whose content git did not fetch. */
  largeFilePointers(): Promise<string[]>;
}

export const MAX_TEXT_BYTES = 1024 * 1024;
/** Approximate limit of entries for `readPackageOutline`. */
const MAX_ENTRIES = 5_000;
/** Levels of folders for `readPackageOutline`. */
const MAX_DEPTH = 5;
const NOT_OUTLINED = /^(?:\..*|node_modules|venv|site-packages|__pycache__)$/;
const MAX_README_BYTES = 64 * 1024;
/** The text with which a pointer to a large file begins. */
export const LARGE_FILE_POINTER = 'version https://git-lfs.github.com/spec/v1\n';

/** Reads a package's folder; follows no links. */
export async function readPackageFiles(folder: string): Promise<PackageFiles> {
  return filesAmong(folder, await readdir(folder, { recursive: true, withFileTypes: true }));
}

/** Reads the declarations of a package alone, whatever else is in its folder. */
export async function readDeclarations(folder: string): Promise<Pick<PackageFiles, 'pyproject' | 'readme'>> {
  const entries = await readdir(folder, { withFileTypes: true });
  const declaring = entries.filter(({ name }) => name === 'pyproject.toml' || name === 'README.md');
  const { pyproject, readme } = await filesAmong(folder, declaring);
  return { pyproject, readme };
}

/**
 * Reads the top of a folder and some levels below, a bounded number of files: enough to find packages. Hidden folders
 * and those of dependencies are left out.
 */
export async function readPackageOutline(folder: string): Promise<PackageFiles> {
  const entries: Dirent[] = [];
  let level = [folder];
  for (let depth = 0; depth < MAX_DEPTH && entries.length < MAX_ENTRIES; depth++) {
    const found: Dirent[] = [];
    for (const path of level) {
      if (entries.length + found.length >= MAX_ENTRIES) break;
      found.push(...(await readdir(path, { withFileTypes: true }).catch(() => [])));
    }
    entries.push(...found);
    level = found
      .filter((entry) => entry.isDirectory() && !NOT_OUTLINED.test(entry.name))
      .map((entry) => join(entry.parentPath, entry.name));
  }
  return filesAmong(folder, entries);
}

/** The files among the entries of a folder and of those below, with the links of a hub's cache. */
export async function filesAmong(folder: string, entries: readonly Dirent[]): Promise<PackageFiles> {
  const pathOf = ({ parentPath, name }: Dirent) => join(parentPath, name).slice(folder.length + 1);
  const hubFileAt = hubFilesOf(folder);
  const isFile = await Promise.all(
    entries.map(
      async (entry) => entry.isFile() || (entry.isSymbolicLink() && (await hubFileAt(pathOf(entry))) !== null),
    ),
  );
  const files = entries.filter((_, index) => isFile[index]);
  const paths = files.map((entry) => pathOf(entry).replaceAll('\\', '/')).sort();
  const known = new Set(paths);
  const read = async (path: string, limit = MAX_TEXT_BYTES) => {
    const bytes = known.has(path) ? await readStart(join(folder, path), limit) : null;
    return bytes?.toString('utf8').replace(/^\uFEFF/, '') ?? null;
  };
  return {
    paths,
    // A little more than the limit, so that a larger file is detected.
    pyproject: await read('pyproject.toml', MAX_PYPROJECT_BYTES + 16),
    readme: await read('README.md', MAX_README_BYTES),
    read,
    largeFilePointers: async () => {
      const found: string[] = [];
      for (const path of paths) {
        if ((await read(path, LARGE_FILE_POINTER.length)) === LARGE_FILE_POINTER) found.push(path);
      }
      return found;
    },
  };
}

/**
 * The files of a package on the hub, each read once, when a check asks for it.
 * @param read reads the beginning of a file
 * @param limits.reads the files that are read at most; each is a request
 */
export async function hubPackageFiles(
  paths: readonly string[],
  read: (path: string, maxBytes: number) => Promise<string>,
  limits: { readonly maxBytes: number; readonly reads: number },
): Promise<PackageFiles> {
  const known = new Set(paths);
  const texts = new Map<string, Promise<string>>();
  const readKnown = async (path: string, maxBytes = limits.maxBytes) => {
    if (!known.has(path) || (!texts.has(path) && texts.size >= limits.reads)) return null;
    const text = texts.get(path) ?? read(path, maxBytes);
    texts.set(path, text);
    return text;
  };
  const [pyproject, readme] = await Promise.all([
    readKnown('pyproject.toml', MAX_PYPROJECT_BYTES + 16),
    readKnown('README.md', MAX_README_BYTES),
  ]);
  return {
    paths,
    pyproject,
    readme,
    read: (path) => readKnown(path),
    largeFilePointers: async () => [], // the hub serves large files themselves, not their pointers
  };
}

/**
 * Reads the beginning of a file, at most `limit` bytes.
 * @returns null if it may not be read, is gone, has a name that is not UTF-8, or is a folder, a pipe or a device
 */
async function readStart(path: string, limit: number): Promise<Buffer | null> {
  // O_NONBLOCK: the open of a pipe would wait for a writer.
  const flags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);
  const file = await open(path, flags).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'EACCES' || error.code === 'EPERM') return null;
    throw error;
  });
  if (!file) return null;
  try {
    if (!(await file.stat()).isFile()) return null;
    const buffer = Buffer.alloc(limit);
    let length = 0;
    for (;;) {
      const { bytesRead } = await file.read(buffer, length, limit - length, length);
      length += bytesRead;
      if (bytesRead === 0 || length === limit) return buffer.subarray(0, length);
    }
  } finally {
    await file.close();
  }
}

/**
 * Reads the beginning of a file in a folder, at most `limit` bytes.
 * @returns null if it is not there, is no file, may not be read, or if a link leads out of the folder
 */
export async function readWithin(folder: string, path: string, limit: number): Promise<Buffer | null> {
  try {
    const [top, file] = await Promise.all([realpath(folder), realpath(join(folder, path))]);
    return file === top || isOutside(top, file) ? null : await readStart(file, limit);
  } catch {
    return null;
  }
}

/** The file of a module among those of a package. */
interface ModuleFile {
  /** `src/hello_wave/main.py`; `python -m` on a package runs its `__main__.py`. */
  readonly path: string;
  /** The folder that must be on the import path, with slashes, `src`; empty for the top. */
  readonly root: string;
  /** The folder of its outermost package, with a slash at its end, `src/hello_wave/`. */
  readonly packageFolder: string;
}

/** @param module `hello_wave.main` */
export function moduleFile(files: Pick<PackageFiles, 'paths'>, module: string): ModuleFile | null {
  const stem = module.replaceAll('.', '/');
  const path = findFile(files, [`${stem}.py`, `${stem}/__main__.py`]);
  if (path === undefined) return null;
  const root = path.slice(0, path.lastIndexOf(path.endsWith('/__main__.py') ? `${stem}/` : `${stem}.py`));
  return { path, root: root.replace(/\/$/, ''), packageFolder: `${root}${module.split('.')[0]}/` };
}

/** @param path of a module without a block that starts the app */
export function noMainBlock(path: string): PackageFinding {
  const message = `${path} has no \`if __name__ == "__main__":\` block, so starting it would do nothing.`;
  return problem('no-main-block', message, { file: path });
}

/** The shortest path with one of these ends, since packages may be at the top, under src/, or in another folder. */
export function findFile({ paths }: Pick<PackageFiles, 'paths'>, ends: readonly string[]): string | undefined {
  return paths
    .filter((path) => ends.some((end) => path === end || path.endsWith(`/${end}`)))
    .sort((a, b) => a.length - b.length)[0];
}
