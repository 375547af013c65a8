import type { PackageFiles } from './package-files.ts';

/** The file of a module among those of a package. */
export interface ModuleFile {
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

/** The shortest path with one of these ends, since packages may be at the top, under src/, or in another folder. */
export function findFile({ paths }: Pick<PackageFiles, 'paths'>, ends: readonly string[]): string | undefined {
  return paths
    .filter((path) => ends.some((end) => path === end || path.endsWith(`/${end}`)))
    .sort((a, b) => a.length - b.length)[0];
}
