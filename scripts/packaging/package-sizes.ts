import { lstat, readdir } from 'node:fs/promises';
import { join, sep } from 'node:path';

/** The parts of a package by where they lie below `resources`; the rest is Electron. */
const parts: Readonly<Record<string, readonly string[]>> = {
  'Node, for the commands': ['node'],
  'code that Electron runs': ['app', 'app.asar', 'app.asar.unpacked'],
  'code of the commands': ['bin', join('dist', 'node')],
  dashboard: [join('dist', 'renderer')],
  'llama.cpp and its packages': ['node_modules'],
  'Python and data': ['assets'],
};
const ELECTRON = 'Electron with Chromium';

/** The size of each part of an unpacked package, in bytes. @param resources its folder `resources` */
export async function packageSizes(program: string, resources: string): Promise<ReadonlyMap<string, number>> {
  const sizes = new Map([ELECTRON, ...Object.keys(parts)].map((name) => [name, 0]));
  for (const path of await readdir(program, { recursive: true })) {
    const stats = await lstat(join(program, path));
    if (!stats.isFile()) continue;
    const part = partOf(join(program, path), resources);
    sizes.set(part, (sizes.get(part) ?? 0) + stats.size);
  }
  return sizes;
}

function partOf(path: string, resources: string): string {
  const found = Object.entries(parts).find(([, folders]) =>
    folders.some((folder) => path === join(resources, folder) || path.startsWith(join(resources, folder) + sep)),
  );
  return found?.[0] ?? ELECTRON;
}

/** A table for people, in megabytes of a million bytes. */
export function sizesTable(sizes: Iterable<readonly [string, number]>): string {
  const rows = [...sizes].map(([name, bytes]) => `  ${name.padEnd(44)} ${(bytes / 1e6).toFixed(1).padStart(7)} MB`);
  return rows.join('\n');
}
