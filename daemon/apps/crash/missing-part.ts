import { readdir } from 'node:fs/promises';
import { installedRecords, packagesDirOf } from '../python/python-env.ts';

/** A module that is missing in something that is installed. */
export interface MissingPart {
  /** Such as `sounds.live`. */
  readonly module: string;
  /** The distribution that has what is above the module; null: several share it, such as all of `google`. */
  readonly owner: { readonly name: string; readonly version: string } | null;
}

const MISSING = /\bNo module named '?(?<module>[A-Za-z_]\w*(?:\.\w+)+)'?/;

/**
 * The module that the output of a program names last as missing, if what is above it is installed.
 * @param lines oldest first
 * @param envDir the environment of the program
 * @returns null: no such module is named, or nothing that is installed has what is above it
 */
export async function missingPart(lines: readonly string[], envDir: string): Promise<MissingPart | null> {
  const module = MISSING.exec(lines.findLast((line) => MISSING.test(line)) ?? '')?.groups?.['module'];
  const packagesDir = module === undefined ? null : await packagesDirOf(envDir);
  if (module === undefined || packagesDir === null) return null;
  const parts = module.split('.').slice(0, -1);
  // The nearest one first: a package may bring a part of another one.
  const above = parts.map((_, index) => parts.slice(0, parts.length - index).join('/'));
  const owners = await ownersOf(packagesDir, above);
  for (const path of above) {
    const owner = owners.get(path);
    if (owner) return { module, owner };
  }
  const names = await readdir(packagesDir).catch((): string[] => []);
  return names.includes(parts[0] ?? '') ? { module, owner: null } : null;
}

/** The distributions that have a module or package, by its path, `sounds/live`. */
async function ownersOf(packagesDir: string, paths: readonly string[]) {
  const owners = new Map<string, MissingPart['owner']>();
  for (const { folder, record } of await installedRecords(packagesDir)) {
    const [, name, version] = /^(.+)-([^-]+)\.dist-info$/.exec(folder) ?? [];
    if (name === undefined || version === undefined) continue;
    const has = (file: string) => record.startsWith(`${file},`) || record.includes(`\n${file},`);
    for (const path of paths) {
      if (has(`${path}/__init__.py`) || has(`${path}.py`))
        owners.set(path, { name: name.replaceAll('_', '-'), version });
    }
  }
  return owners;
}
