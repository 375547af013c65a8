/** electron-builder calls this at the end: prints how large each part of each package is, and each file. */
import { readdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { BuildResult } from 'electron-builder';
import { packageSizes, sizesTable } from './package-sizes.ts';

export default async function afterBuild({ outDir, artifactPaths }: BuildResult): Promise<string[]> {
  for (const name of await readdir(outDir)) {
    const program = await unpackedProgram(outDir, name);
    if (!program) continue;
    const sizes = await packageSizes(program.folder, program.resources);
    const total = [...sizes.values()].reduce((sum, bytes) => sum + bytes, 0);
    console.log(`\n${name}, installed:\n${sizesTable([...sizes, ['together', total]])}`);
  }
  const files = await Promise.all(
    artifactPaths.map(async (path) => [basename(path), (await stat(path)).size] as const),
  );
  if (files.length > 0) console.log(`\nTo download:\n${sizesTable(files)}`);
  return []; // no further files to publish
}

/** @returns null: a file or a folder of something else */
async function unpackedProgram(outDir: string, name: string) {
  const folder = join(outDir, name);
  if (name.endsWith('-unpacked')) return { folder, resources: join(folder, 'resources') };
  if (!/^mac(-|$)/.test(name)) return null;
  const app = (await readdir(folder)).find((entry) => entry.endsWith('.app'));
  return app ? { folder, resources: join(folder, app, 'Contents', 'Resources') } : null;
}
